/** The rule that lies open over the page, if any. */
class Rules {
  id = $state("");

  open(id: string): void {
    this.id = id;
  }

  close(): void {
    this.id = "";
  }
}

export const rules = new Rules();
