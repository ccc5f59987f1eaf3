/** What went wrong, as a sentence. */
export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One thing at a time that is asked of the server; what goes wrong becomes a sentence. */
export class Work {
  busy = $state(false);
  trouble = $state("");

  run = async (work: () => Promise<void>): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      await work();
    } catch (error) {
      this.trouble = said(error);
    } finally {
      this.busy = false;
    }
  };
}
