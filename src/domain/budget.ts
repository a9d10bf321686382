// So many at once, and so many a minute after that. Pure: whoever asks says what time it is, in milliseconds.

/** Fills again with time. */
export type Budget = { left: number; at: number };
export type BudgetSize = { readonly burst: number; readonly perMinute: number };

export function freshBudget({ burst }: BudgetSize, now: number): Budget {
  return { left: burst, at: now };
}

export function spend(budget: Budget, size: BudgetSize, now: number): boolean {
  refill(budget, size, now);
  if (budget.left < 1) return false;
  budget.left--;
  return true;
}

export function isWhole(budget: Budget, size: BudgetSize, now: number): boolean {
  refill(budget, size, now);
  return budget.left >= size.burst;
}

function refill(budget: Budget, { burst, perMinute }: BudgetSize, now: number): void {
  budget.left = Math.min(burst, budget.left + ((now - budget.at) / 60_000) * perMinute);
  budget.at = now;
}
