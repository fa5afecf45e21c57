import type { Api } from '../../openapi/index.ts';
import type { Case } from '../cases/case.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import type { Session, SessionOptions } from './session.ts';

export type RunOptions = Omit<SessionOptions, 'prover'> & {
  plan: Plan;
  probeLimits: boolean;
  /** Whether data may be added only so that a bound can be tried. */
  fill: boolean;
  /** Asks what the plan does not, before limits are tried. */
  askMore?: ((session: Session) => Promise<void>) | undefined;
  /** Calls operations with unexpected inputs, after the plan and before limits are tried. */
  fuzzer?: ((turn: Turn) => Promise<void>) | undefined;
  onStage: (stage: string) => void;
};

/** A case of the plan, and when it is made. */
export type PlannedCase = { stage: StageName; case: Case };

/** The run on a target, or the part of it that is about one collection. */
export type Turn = {
  session: Session;
  options: RunOptions;
  /** The document; in the turn of a collection, with that one alone. */
  document: Api;
  /** The cases of the plan for it. */
  cases: readonly PlannedCase[];
};
