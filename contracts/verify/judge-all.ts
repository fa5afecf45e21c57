import type { Check } from '../clauses/check.ts';
import type { ApiDocument } from '../description/document.ts';
import { applyBaseline, type BaselineEntry } from '../judging/baseline.ts';
import { groupByCause } from '../judging/causes.ts';
import { compare } from '../judging/compare.ts';
import { findJudgedParts, type Judgement, judge } from '../judging/judge.ts';
import { findMoves } from '../judging/moves.ts';
import { mapSilences } from '../judging/silences.ts';
import type { Finding, SilenceResult } from '../report/events.ts';
import { twinName } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** What was made of all transcripts. */
export type Judged = {
  /** By target. */
  judgements: ReadonlyMap<string, Judgement>;
  /** Those of the checks and of the baseline, and what differs between targets. */
  findings: Finding[];
  silences: SilenceResult[];
};

export type JudgeAllOptions = {
  document: ApiDocument;
  checks: readonly Check[];
  baseline: readonly BaselineEntry[];
  /** When the run began, in Unix milliseconds. */
  started: number;
  /** Whether the silences are read, too. */
  mapsSilences: boolean;
};

/**
 * Holds the transcripts against the checks, groups what is wrong by its cause, compares the first
 * two, and maps what they do where nothing is stated.
 */
export function judgeAll(
  growing: readonly Transcript[],
  { document, checks, baseline, started, mapsSilences }: JudgeAllOptions,
): Judged {
  // What is remembered of a transcript by its identity was read while it grew.
  const transcripts = growing.map((transcript) => ({ ...transcript }));
  const judgements = new Map(
    transcripts.map((transcript) => [transcript.target.name, judge(transcript, checks)]),
  );
  const all = [...judgements.values()].flatMap(({ findings }) => findings);
  const { findings: found, faults } = applyBaseline(all, baseline, started);
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

/** A finding about the mock beside a target, which fails no run; what is known stays known. */
function toAside(finding: Finding): Finding {
  const weigh = <T extends Pick<Finding, 'verdict'>>(one: T): T =>
    one.verdict === 'known' ? one : { ...one, verdict: 'mock' };
  return { ...weigh(finding), related: finding.related.map(weigh) };
}

/** What has moved on the deployment, which comes after the twin. */
function findMovesOfDeployment(
  transcripts: readonly Transcript[],
  judgements: ReadonlyMap<string, Judgement>,
): Finding[] {
  const deployment = transcripts.at(-1);
  const judgement = deployment && judgements.get(deployment.target.name);
  return judgement ? findMoves(deployment, judgement) : [];
}
