import { calibrationCases, needsSameKey } from '../cases/calibration-cases.ts';
import type { ApiDocument } from '../description/document.ts';
import { brokenIn } from '../judging/moves.ts';
import type { Finding } from '../report/events.ts';
import type { Session } from '../run/session.ts';
import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import { shortForm, toForm } from '../silences/reading.ts';
import { toWords } from '../silences/to-words.ts';
import type { Answered } from '../transcript/exchange.ts';
import { compileResponses } from '../transcript/schema/validator.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { createGuard } from '../verify/guard.ts';
import { judgeAll } from '../verify/judge-all.ts';
import type { VerifyOptions } from '../verify/options.ts';
import { runTargets } from '../verify/run-targets.ts';
import { chooseCases, chooseChecks } from '../verify/selection.ts';

/** An answer to a silence, with what shows it. */
export type FoundPin = {
  silence: string;
  answer: unknown;
  /** The answer in words. */
  words: string;
  evidence: string[];
  times: number;
  confidence: 'high' | 'medium' | 'low';
};

/** What calibrating found. */
export type Calibration = {
  target: string;
  /** When it began, in ISO 8601. */
  at: string;
  requests: number;
  pins: FoundPin[];
  /** The silences that were not pinned, or not in every part, and why. */
  unpinned: { silence: string; reason: string }[];
  /** What breaks a stated clause; nothing is pinned there. */
  drift: Pick<Finding, 'check' | 'message' | 'clause'>[];
};

export type CalibrateOptions = Omit<VerifyOptions, 'only' | 'skip' | 'strict' | 'baseline'> & {
  withExamples: boolean;
};

/**
 * Asks a target what it does where the interface is silent. Throws a TargetError where it cannot be
 * asked at all.
 */
export async function calibrate({
  withExamples,
  ...given
}: CalibrateOptions): Promise<Calibration> {
  const started = Date.now();
  const { document } = given;
  const options: VerifyOptions = {
    ...given,
    only: [],
    skip: [],
    strict: false,
    askMore: (session) =>
      askMore(
        session,
        document,
        given.targets.every(({ writes }) => writes),
      ),
  };
  const { checks } = chooseChecks(options);
  const validators = compileResponses(document);
  const plan = chooseCases(options);
  const [run] = await runTargets(options, { plan, validators, started });
  const { transcript } = run as NonNullable<typeof run>;
  const guard = createGuard();
  const judged = await judgeAll([transcript], { document, checks, baseline: [], started, guard });
  return {
    target: transcript.target.url,
    at: new Date(started).toISOString(),
    requests: transcript.exchanges.length,
    ...toPins(
      withoutBroken(
        transcript,
        brokenIn(judged.judgements.get(transcript.target.name) ?? { findings: [] }),
      ),
      withExamples,
    ),
    drift: judged.findings.filter(({ verdict }) => verdict === 'drift'),
  };
}

/** Sends what only calibrating asks, one after the other. */
async function askMore(session: Session, document: ApiDocument, writes: boolean): Promise<void> {
  const { bulk } = session;
  const roomiest = bulk.toSorted((left, right) => right.available() - left.available())[0];
  for (const one of calibrationCases(document)) {
    if (one.writes && !writes) continue;
    await session.call(one, needsSameKey(one) ? roomiest : undefined);
  }
}

function toPins(
  transcript: Transcript,
  withExamples: boolean,
): Pick<Calibration, 'pins' | 'unpinned'> {
  const pins: FoundPin[] = [];
  const unpinned: Calibration['unpinned'] = [];
  for (const { id: silence } of transcript.document.silences) {
    const reading = readSilence(transcript, silence, { withExamples });
    if (reading?.reason !== undefined) unpinned.push({ silence, reason: reading.reason });
    if (reading === undefined) unpinned.push({ silence, reason: 'no answer shows it' });
    if (reading?.answer === undefined) continue;
    const times = reading.shown.length;
    pins.push({
      silence,
      answer: reading.answer,
      words: toWords(silence, reading.answer),
      evidence: toEvidence(reading.shown),
      times,
      confidence: times >= 3 ? 'high' : times === 2 ? 'medium' : 'low',
    });
  }
  return { pins, unpinned };
}

const maxEvidence = 4;

/** A line for each kind of exchange. */
function toEvidence(shown: readonly Answered[]): string[] {
  const lines = shown.map((one) => {
    const { method, path } = one.request;
    const { id, operation } = one.case;
    const what = method === 'POST' && operation ? ` (${id.slice(operation.id.length + 1)})` : '';
    const { json } = one.response;
    const came = Array.isArray(json) ? `${one.response.status}, ${json.length} items` : undefined;
    return `${method} ${path}${what}: ${came ?? shortForm(toForm(one))}`.slice(0, 200);
  });
  return [...new Set(lines)].slice(0, maxEvidence);
}
