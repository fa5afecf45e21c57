import type { Api } from '../../openapi/index.ts';
import { isWriting } from '../cases/case.ts';
import type { Check } from '../clauses/check.ts';
import { applyBaseline, type BaselineEntry } from '../judging/baseline.ts';
import { groupByCause } from '../judging/causes.ts';
import { compare } from '../judging/compare.ts';
import { findJudgedParts, type Judgement, judge, operationsOf } from '../judging/judge.ts';
import { findMoves } from '../judging/moves.ts';
import { mapSilences } from '../judging/silences.ts';
import type { Finding, SilenceResult } from '../report/events.ts';
import type { Choice } from '../run/choices.ts';
import { twinName } from '../transcript/exchange.ts';
import { isMissed } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { clauseLedger } from './selection.ts';

/** The judgements of all transcripts. */
export type Judged = {
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
};

/**
 * Holds the transcripts against the checks, groups what is wrong by its cause, compares the first
 * two, and maps what they do where nothing is stated.
 */
export function judgeAll(
  transcripts: readonly Transcript[],
  { document, checks, baseline, started, mapsSilences, ...allowed }: JudgeAllOptions,
): Judged {
  const heldOn = new Map(checks.map(({ id }) => [id, new Set<string>()]));
  const judgements = new Map(
    transcripts.map((transcript) => [
      transcript.target.name,
      judge(transcript, checks, {
        onHold: ({ id }, exchange) =>
          operationsOf(transcript, exchange).map((one) => heldOn.get(id)?.add(one)),
      }),
    ]),
  );
  const all = [...judgements.values()].flatMap(({ findings }) => findings);
  const { findings: found, faults } = applyBaseline(all, baseline, {
    now: started,
    wasTried: createWasTried({ document, checks, transcripts, heldOn, judgements, ...allowed }),
  });
  const [left, right] = transcripts;
  const hasTarget = transcripts.some(({ target }) => target.name !== twinName);
  const ofMock = ({ target }: Finding) => hasTarget && target === twinName;
  return {
    judgements,
    findings: [
      ...groupByCause(found, checks).map((one) => (ofMock(one) ? toAside(one) : one)),
      ...faults,
      ...(document.pinned ? findMovesOfDeployment(transcripts, judgements) : []),
      ...(left && right ? compare(left, right, findJudgedParts(found, checks)) : []),
    ],
    silences: mapsSilences ? mapSilences(transcripts) : [],
  };
}

type Tried = Pick<JudgeAllOptions, 'document' | 'checks' | 'choice' | 'writes'> & {
  transcripts: readonly Transcript[];
  /** The operations on whose answers each check was held. */
  heldOn: ReadonlyMap<string, ReadonlySet<string>>;
  judgements: ReadonlyMap<string, Judgement>;
};

/**
 * Creates the function that says whether all that could show the finding of an entry was tried. An entry
 * that no run can match is taken for tried.
 */
function createWasTried(tried: Tried): (entry: BaselineEntry) => boolean {
  const { document, checks, transcripts, heldOn, judgements, choice, writes } = tried;
  const missed = transcripts.flatMap(({ skipped }) =>
    skipped.filter((one) => isMissed(one) && one.case.priority < 3),
  );
  const results = [...judgements.values()].flatMap((one) => one.results);
  const isWhole = transcripts.every(({ ended, defect }) => (ended ?? defect) === undefined);
  return ({ clause, operation: named }) => {
    const concerned = document.operations.filter(({ id }) => id === (named ?? id));
    const isPossible = clauseLedger(document).some(({ id }) => id === clause);
    if (!isPossible || concerned.length === 0) return true;
    const check = checks.find(({ id }) => id === clause);
    const held = heldOn.get(clause) ?? new Set();
    const needsWrites = check?.cases?.some(isWriting) !== false;
    const wasMissed = missed.some(
      ({ case: { operation, purpose } }) =>
        (named === undefined || operation?.id === named) &&
        check?.cases?.includes(purpose.kind) !== false,
    );
    const wasHeld = named === undefined ? held.size > 0 : held.has(named);
    const isOpen = results.some((one) => one.check === check && one.verdict === 'inconclusive');
    const mayHold = named !== undefined || writes || !needsWrites;
    return (
      isWhole && wasHeld && !isOpen && mayHold && !wasMissed && concerned.every(choice.isChosen)
    );
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
