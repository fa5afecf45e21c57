import type { Api, Operation } from '../../openapi/index.ts';
import { isWriting } from '../cases/case.ts';
import type { Check } from '../clauses/check.ts';
import { fuzzChecks } from '../fuzz/fuzz-checks.ts';
import { applyBaseline, type BaselineEntry } from '../judging/baseline.ts';
import { groupByCause } from '../judging/causes.ts';
import { compare } from '../judging/compare.ts';
import {
  type FoundKind,
  findJudgedParts,
  type Judgement,
  joinJudgements,
  judge,
} from '../judging/judge.ts';
import { findMoves, mapSilences } from '../judging/moves.ts';
import type { Finding, SilenceResult } from '../report/events.ts';
import type { Choice } from '../run/choices.ts';
import { type Exchange, twinName } from '../transcript/exchange.ts';
import { isMissed } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { clauseLedger } from './selection.ts';

/** The judgements of all transcripts. */
export type RunJudgement = {
  /** By target. */
  judgements: ReadonlyMap<string, Judgement>;
  /** Findings of the checks and of the baseline, and differences between targets. */
  findings: Finding[];
  silences: SilenceResult[];
};

export type JudgeAllOptions = {
  document: Api;
  checks: readonly Check[];
  baseline: readonly BaselineEntry[];
  /** When the run began, in Unix milliseconds. */
  started: number;
  /** Which operations were to be called, and whether any could be changed. */
  choice: Choice;
  writes: boolean;
  /** Whether the silences are read, too. */
  mapsSilences: boolean;
  /** The transcripts of fuzzing, by target. */
  fuzzed?: ReadonlyMap<string, Transcript>;
};

/**
 * Holds the transcripts against the checks, groups what is wrong by its cause, compares the first
 * two, and maps what they do where nothing is stated.
 */
export function judgeAll(
  transcripts: readonly Transcript[],
  { document, checks, baseline, started, mapsSilences, fuzzed, ...allowed }: JudgeAllOptions,
): RunJudgement {
  const judgements = new Map(
    transcripts.map((transcript) => {
      const { name } = transcript.target;
      const ofInputs = fuzzed?.get(name);
      const judged = judge(transcript, checks);
      const whole = ofInputs ? joinJudgements(judged, judgeFuzzed(ofInputs, checks)) : judged;
      return [name, whole];
    }),
  );
  const { found, findings } = toFindings(judgements, {
    ...{ document, checks, baseline, now: started },
    wasMissed: createWasMissed(transcripts, allowed),
  });
  const [left, right] = transcripts;
  const hasTarget = transcripts.some(({ target }) => target.name !== twinName);
  const ofMock = ({ target }: Finding) => hasTarget && target === twinName;
  return {
    judgements,
    findings: [
      ...findings.map((one) => (ofMock(one) ? toAside(one) : one)),
      ...(document.pinned ? findMovesOfDeployment(transcripts, judgements) : []),
      ...(left && right ? compare(left, right, findJudgedParts(found, checks)) : []),
    ],
    silences: mapsSilences ? mapSilences(transcripts) : [],
  };
}

/** A part of the document that an entry of the baseline is about. */
type Subject = { check: Check | undefined; named: string | undefined; all: readonly Operation[] };

type WasMissed = (concerned: Subject) => boolean;

/**
 * Groups what the checks found by its cause, without what the baseline knows. An entry whose clause
 * was tried and that matches nothing is a finding; `wasMissed` says whether something was not tried.
 */
export function toFindings(
  judgements: ReadonlyMap<string, Judgement>,
  {
    document,
    checks,
    baseline,
    now,
    wasMissed = () => false,
  }: Pick<JudgeAllOptions, 'document' | 'checks' | 'baseline'> & {
    now: number;
    wasMissed?: WasMissed;
  },
): { found: readonly FoundKind[]; findings: Finding[] } {
  const all = [...judgements.values()].flatMap(({ findings }) => findings);
  const results = [...judgements.values()].flatMap((one) => one.results);
  const wasTried = ({ clause, operation: named }: BaselineEntry) => {
    const concerned = document.operations.filter(({ id }) => id === (named ?? id));
    const isPossible = clauseLedger(document).some(({ id }) => id === clause);
    // An entry that no run can match is taken for tried.
    if (!isPossible || concerned.length === 0) return true;
    const ofCheck = results.filter(({ check }) => check.id === clause);
    const held = new Set(ofCheck.flatMap(({ operations }) => [...operations]));
    const wasHeld = named === undefined ? held.size > 0 : held.has(named);
    const isOpen = ofCheck.some(({ verdict }) => verdict === 'inconclusive');
    const check = checks.find(({ id }) => id === clause);
    return wasHeld && !isOpen && !wasMissed({ check, named, all: concerned });
  };
  const { findings: found, faults } = applyBaseline(all, baseline, { now, wasTried });
  return { found, findings: [...groupByCause(found, checks), ...faults] };
}

/** Creates the function that says whether a run did not try all that could show a finding. */
function createWasMissed(
  transcripts: readonly Transcript[],
  { choice, writes }: Pick<JudgeAllOptions, 'choice' | 'writes'>,
): WasMissed {
  const missed = transcripts.flatMap(({ skipped }) =>
    skipped.filter((one) => isMissed(one) && one.case.priority < 3),
  );
  const isWhole = transcripts.every(({ ended, defect }) => (ended ?? defect) === undefined);
  return ({ check, named, all }) => {
    const needsWrites = check?.cases?.some(isWriting) !== false;
    const wasSkipped = missed.some(
      ({ case: { operation, purpose } }) =>
        (named === undefined || operation?.id === named) &&
        check?.cases?.includes(purpose.kind) !== false,
    );
    const mayHold = named !== undefined || writes || !needsWrites;
    return !isWhole || !mayHold || wasSkipped || !all.every(choice.isChosen);
  };
}

/** A finding about the mock beside a target, which fails no run; what is known stays known. */
function toAside(finding: Finding): Finding {
  const weigh = <T extends Pick<Finding, 'verdict'>>(one: T): T =>
    one.verdict === 'known' ? one : { ...one, verdict: 'mock' };
  return { ...weigh(finding), related: finding.related.map(weigh) };
}

/** Finds the deviations of the deployment from the pins. The deployment comes after the twin. */
function findMovesOfDeployment(
  transcripts: readonly Transcript[],
  judgements: ReadonlyMap<string, Judgement>,
): Finding[] {
  const deployment = transcripts.at(-1);
  const judgement = deployment && judgements.get(deployment.target.name);
  return judgement ? findMoves(deployment, judgement) : [];
}

/** The checks that hold of any answer, whatever was asked for. */
const ofAnyAnswer = [
  ...['error-shape', 'error-status', 'media-type', 'body-schema', 'no-byte-order-mark'],
  ...['described-status', 'required-headers', 'header-values'],
];

/** Statuses that say of a request what no document needs to describe: its size, or its form. */
const ofForm = [405, 406, 408, 413, 414, 415, 431, 501, 505];

/**
 * Judges the exchanges of fuzzing: what it found, and each answer to a request of the described form by
 * itself.
 */
function judgeFuzzed(transcript: Transcript, checks: readonly Check[]): Judgement {
  const isOfFuzzing = ({ id }: Check) => fuzzChecks.some((one) => one.id === id);
  const found = judge(transcript, checks.filter(isOfFuzzing));
  const exchanges = transcript.exchanges.filter(isOfDescribedForm);
  const answers = judge(
    { ...transcript, exchanges },
    checks.filter(({ id }) => ofAnyAnswer.includes(id)),
  );
  return joinJudgements(
    { ...found, results: [...found.results, ...answers.results] },
    { ...answers, results: [] },
  );
}

function isOfDescribedForm({ case: { purpose, operation }, response }: Exchange): boolean {
  const { status = 500 } = response ?? {};
  const isOdd = purpose.kind === 'fuzz' && purpose.isOdd === true;
  const isStated = operation?.responses.some((one) => one.status === String(status));
  return !isOdd && (status < 500 || isStated === true) && !ofForm.includes(status);
}
