/** The verdicts on findings, the heaviest first. */
export const verdicts = [
  'drift',
  'unanswered',
  'standard',
  'undocumented',
  'moved',
  'mock',
  'known',
  'difference',
  'client',
] as const;

/**
 * How a finding weighs; drift and unanswered gate, and standard, undocumented and moved where it
 * was asked for.
 * `mock` is about the mock beside a target, and `client` about those who call the target.
 */
export type Verdict = (typeof verdicts)[number];

/** The verdicts on clauses, in the order in which reports count them. */
export const clauseVerdicts = [
  'kept',
  'drift',
  'standard',
  'undocumented',
  'known',
  'inconclusive',
  'vacuous',
  'unobserved',
] as const;

/** The verdict on a clause on one target. */
export type ClauseVerdict = (typeof clauseVerdicts)[number];

export type Basis = 'stated' | 'standard' | 'described' | 'none';

/** An exchange as reports show it; keys are `$KEY`. */
export type ReportedExchange = {
  case: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  response?: { status: number; headers: [name: string, value: string][]; body: string };
  failure?: string;
};

export type Finding = {
  target: string;
  verdict: Verdict;
  /** Id of the check; `comparison`, `pins` or `baseline` for what no check found. */
  check: string;
  /** Operation id, or empty. */
  operation: string;
  /** The broken clause: its id, basis, source, text, and the address to read it. */
  clause: { id: string; basis: Basis; source: string; text: string; url?: string };
  message: string;
  /**
   * Each thing that is wrong, in a sentence, where there are several: at most ten, and then how
   * many more.
   */
  problems?: string[];
  expected: string;
  actual: string;
  /** How many exchanges show it. */
  count: number;
  /**
   * Every operation that shows it, with how many exchanges do; the first is the one of the exchange
   * shown.
   */
  operations: { id: string; count: number }[];
  /** Other findings with the same cause. */
  related: RelatedFinding[];
  exchange?: ReportedExchange;
  /** A line that sends the request of the exchange again, or asks for what it is about. */
  curl?: string;
  /** The exchanges that lead to it, in order, each with its line. */
  before?: { exchange: ReportedExchange; curl?: string }[];
};

/** Something else that has the cause of a finding. */
export type RelatedFinding = Pick<
  Finding,
  'verdict' | 'check' | 'clause' | 'message' | 'count' | 'operations'
> & {
  /**
   * Whether it follows from the finding: mend that, and it is gone. Otherwise the same answers show
   * both.
   */
  isConsequence: boolean;
};

/** The result of the checks on one response; `held` names the checks that judged something. */
export type ResponseJudgement = {
  operation: string;
  status: number;
  findings: Pick<
    Finding,
    'verdict' | 'check' | 'clause' | 'message' | 'problems' | 'expected' | 'actual'
  >[];
  held: string[];
};

export type ClauseResult = {
  id: string;
  basis: Basis;
  source: string;
  text: string;
  /** The address of the clause's text. */
  url?: string;
  /** By target: what became of it, how often it was held, and why it could not be judged. */
  results: Record<string, { verdict: ClauseVerdict; held: number; reason?: string }>;
};

export type SilenceResult = {
  id: string;
  source: string;
  question: string;
  /** The address that describes what the twin does, and why. */
  url?: string;
  observed: Record<string, string>;
};

/** Something that a create made or answered with. */
export type Residue = {
  target: string;
  operation: string;
  /** Undefined where nothing showed it. */
  id?: string;
  /** The operation that would delete it, if the document describes one. */
  deletedBy?: string;
  /** Why it was not deleted although it might have been. */
  reason?: string;
  /** The body that it was made from, or the beginning of it. */
  sent?: string;
};

/** An operation that the document describes and that no run calls, and why. */
export type NotCalled = { operation: string; method: string; path: string; reason: string };

/** An operation of which no call was answered with a success; the reason is the last answer. */
export type Refused = NotCalled & { target: string };

/** A lesson of refusals by a target about the bodies of an operation: names of members. */
export type Learned = Omit<NotCalled, 'reason'> & {
  target: string;
  /** Optional ones that were refused, and ones that were missed or have another value. */
  without: string[];
  with: string[];
};

/** A check that says nothing of the document, and why. */
export type NotApplicable = { id: string; reason: string };

/** The traffic of others that a report is about; what they did not ask for is not known. */
export type Traffic = {
  /** Entries of the recordings that were not judged: the reason, and how many. */
  leftOut: { reason: string; count: number }[];
  /** When the first call was sent and the last one ended, as ISO 8601; absent without calls. */
  from?: string;
  until?: string;
};

export type Report = {
  verdict: 'clean' | 'drift' | 'unanswered' | 'incomplete';
  /** Why a run is incomplete, a sentence each. */
  incomplete: string[];
  /** Failures of the suite itself, a sentence each; also listed in `incomplete`. */
  defects: string[];
  /** The same failures, each with the stack of its error; absent without any. */
  defectDetails?: { message: string; stack: string }[];
  document: { title: string; version: string };
  /** The planned cases; traffic has no plan. */
  plan?: { seed: number; hash: string; cases: number };
  /** The traffic that was judged, if other clients made the calls. */
  traffic?: Traffic;
  targets: { name: string; url: string; requests: number; seconds: number; keys: string[] }[];
  operations: {
    id: string;
    method: string;
    path: string;
    results: Record<string, { calls: number; findings: number; successes?: number }>;
  }[];
  /** By target: the clauses by what became of them, and the findings by how they weigh. */
  totals: Record<
    string,
    { clauses: Record<ClauseVerdict, number>; findings: Record<Verdict, number> }
  >;
  findings: Finding[];
  clauses: ClauseResult[];
  /** The checks that do not apply to the document. */
  notApplicable: NotApplicable[];
  silences: SilenceResult[];
  /** The operations that have no cases. */
  notCalled: NotCalled[];
  /** The operations of which a target refused all calls. */
  refused?: Refused[];
  /** Lessons of refusals about bodies, which `--save-overlay` writes. */
  learned?: Learned[];
  /** Optional parameters of reads that `--fuzz` left out, as they may do something: a line for each target. */
  notFuzzed?: string[];
  /** Items that the run created and did not delete. */
  residue: Residue[];
  /** Items that creates answered with but that are not the run's own, and so were not changed. */
  leftAlone?: Residue[];
  /** Why targets were called no more before the run was over, a sentence each. */
  ended?: string[];
  startedAt: string;
  seconds: number;
};

/** An event of a run, for reporters. */
export type RunEvent =
  | {
      type: 'start';
      targets: { name: string; url: string }[];
      plan: { seed: number; hash: string; cases: number };
    }
  | { type: 'stage'; target: string; stage: string }
  /** `left`: the most milliseconds that the rest may take, once that is known. */
  | { type: 'exchange'; target: string; made: number; left?: number | undefined }
  | { type: 'remark'; target: string; text: string }
  | { type: 'finish'; report: Report };
