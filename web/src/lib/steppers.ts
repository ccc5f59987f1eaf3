/** Amounts: `give:soldiers=1` to `give:soldiers=9` are one row with plus and minus. */
import type { Stepper } from "../made/types";

export function stepKey(stepper: Stepper, amount: number): string {
  return `${stepper.verb}:${stepper.name}=${amount}`;
}

/** An amount that may be answered: from 1 to the most there is. */
export function within(stepper: Stepper, amount: number): number {
  return Math.max(1, Math.min(stepper.most, Math.round(amount) || 1));
}

export function step(stepper: Stepper, amount: number, by: number): number {
  return within(stepper, amount + by);
}
