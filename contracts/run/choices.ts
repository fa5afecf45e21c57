import type { Operation } from '../../openapi/index.ts';
import type { CaseKind } from '../cases/case.ts';

/** Which operations a run may call. */
export type Choice = {
  isChosen: (operation: Operation) => boolean;
  /** Whether an operation that was not chosen may be called because chosen ones need it. */
  isNeeded: (operation: Operation) => boolean;
  /** The kinds of case that the checks need which the run holds; by default all. */
  kinds?: ReadonlySet<CaseKind> | undefined;
};

/** Whether a run sends cases of one of these kinds. */
export function wants({ kinds }: Pick<Choice, 'kinds'>, ...asked: CaseKind[]): boolean {
  return kinds === undefined || asked.some((kind) => kinds.has(kind));
}

/** How a target is called: everything that a user may choose about it. */
export type Pace = {
  /** Milliseconds for one exchange. */
  timeout: number;
  /** The longest wait for a key's quota, in milliseconds. */
  wait: number;
  maxRequests: number;
  concurrency: number;
};
