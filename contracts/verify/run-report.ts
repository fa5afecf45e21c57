import { count } from '../../common/cli/count.ts';
import { defined } from '../../common/defined.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { planBodies } from '../cases/bodies.ts';
import type { Plan } from '../cases/plan.ts';
import type { Check } from '../clauses/check.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import type { Judgement } from '../judging/judge.ts';
import { whyNotAllJudged } from '../judging/judge-response.ts';
import { redactReport } from '../judging/redact.ts';
import type { NotApplicable, Refused, Report, Residue } from '../report/events.ts';
import { incomplete } from '../run/refusals.ts';
import { type Answer, isAnswered, sentValue, twinName } from '../transcript/exchange.ts';
import { type CreatedItem, leftItems } from '../transcript/leftovers.ts';
import { ownIdOf } from '../transcript/made.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { isMissed, toSkipText } from '../transcript/skip-reasons.ts';
import { answeredFor, type Defect, type Transcript, toRefusal } from '../transcript/transcript.ts';
import type { RunJudgement } from './judge-all.ts';
import { toLearned } from './learned.ts';
import { toNotCalled } from './not-called.ts';
import { secretsOf, type VerifyOptions } from './options.ts';
import type { TargetRun } from './run-targets.ts';
import { toChoice } from './selection.ts';
import { toReport } from './to-report.ts';

type RunParts = {
  plan: Plan;
  checks: readonly Check[];
  notApplicable: readonly NotApplicable[];
  runs: readonly TargetRun[];
  judged: RunJudgement;
  /** When the run began, in Unix milliseconds. */
  started: number;
};

type RunOptions = Pick<
  VerifyOptions,
  'document' | 'targets' | 'strict' | 'signal' | 'docs' | 'only' | 'skip' | 'fuzzTime'
>;

/** The report of a run, without the keys of its targets. */
export function toRunReport(
  options: RunOptions,
  { plan, checks, notApplicable, runs, judged, started }: RunParts,
): Report {
  const { document, targets, strict, signal, docs } = options;
  const { judgements, findings, silences } = judged;
  const secrets = targets.flatMap(secretsOf);
  const transcripts = runs.map(({ transcript }) => transcript);
  const temporary = targets.filter(({ isTemporary }) => isTemporary).map(({ name }) => name);
  const whole = runs.map(toWhole);
  const staying = whole.filter(({ target }) => !temporary.includes(target.name));
  const left = staying.map(toResidue);
  const notCalled = toNotCalled(document, staying.length > 0 ? staying : whole, {
    choice: toChoice(options),
    writes: targets.some(
      ({ writes, isTemporary }) => writes && (!isTemporary || staying.length === 0),
    ),
  });
  // The mock beside a target fails no run.
  const deployed = transcripts.filter(({ target }) => target.name !== twinName);
  const weighed = deployed.length > 0 ? deployed : transcripts;
  const called = whole.filter(({ target }) => weighed.some((one) => one.target === target));
  const ended = weighed.flatMap((one) =>
    one.ended === undefined ? [] : [`${one.target.name}: ${one.ended}`],
  );
  const report = toReport(
    {
      ...{ document, checks, notApplicable, judgements, findings, silences },
      targets: runs.map((one, index) => toCalled(whole[index] as Transcript, one)),
      incomplete: [
        ...(signal?.aborted ? ['the run was interrupted'] : []),
        ...ended,
        ...weighed.flatMap((one) => whyIncomplete(one, judgements.get(one.target.name))),
        ...runs.flatMap(whyNotFuzzed),
      ],
      defects: [
        ...[...judgements].flatMap(([name, { defects }]) => defects.map(worded(`${name}: `))),
        ...transcripts.flatMap(({ target, defect }) =>
          defect ? [worded(`${target.name}: no more cases were made (`, ')')(defect)] : [],
        ),
      ],
    },
    {
      plan: { seed: plan.seed, hash: plan.hash, cases: countCases(plan) },
      ...{ notCalled, ended },
      refused: called.flatMap((one) => toRefused(document, one)),
      notFuzzed: runs.flatMap(toNotFuzzed),
      learned: weighed.flatMap(({ target, lessons = [] }) => toLearned(target.name, lessons)),
      residue: left.flatMap(({ residue }) => residue),
      leftAlone: left.flatMap(({ leftAlone }) => leftAlone),
      startedAt: new Date(started).toISOString(),
      seconds: (Date.now() - started) / 1000,
    },
    { strict, docs, secrets },
  );
  const made = whole.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request }) => request.secrets ?? []),
  );
  return redactReport(redactReport(report, made, { mark: '[Filtered]' }), secrets);
}

/** How many cases a plan has. */
export function countCases({ stages }: Plan): number {
  return stages.reduce((sum, { cases }) => sum + cases.length, 0);
}

/** All that was sent to a target, that of fuzzing too, in order. */
function toWhole({ transcript, fuzzed }: TargetRun): Transcript {
  const all = [...transcript.exchanges, ...(fuzzed?.exchanges ?? [])];
  return {
    ...transcript,
    exchanges: all.toSorted((left, right) => left.number - right.number),
  };
}

function whyNotFuzzed({ fuzzed }: TargetRun): string[] {
  const stopped = fuzzed?.fuzzing?.stopped;
  if (!fuzzed || stopped === undefined) return [];
  return [`${fuzzed.target.name}: fuzzing ended early, as ${stopped}`];
}

/** Says which parameters fuzzing left out, as they may do something. */
function toNotFuzzed({ fuzzed }: TargetRun): string[] {
  const left = [...(fuzzed?.fuzzing?.leftOut ?? [])];
  if (!fuzzed || left.length === 0) return [];
  const named = left.map(([operation, names]) => `${operation} (${names.join(', ')})`);
  return [`${fuzzed.target.name}: ${toExcerpt(named.join(', '), 400)}`];
}

function toCalled({ target, exchanges, keys }: Transcript, { seconds }: TargetRun) {
  const count = (all: typeof exchanges) => (id: string) =>
    all.filter(({ case: { operation } }) => operation?.id === id).length;
  return {
    ...target,
    requests: exchanges.length,
    seconds,
    keys: keys.map(({ name }) => name),
    callsOf: count(exchanges),
    successesOf: count(exchanges.filter(({ response }) => (response?.status ?? 500) < 400)),
  };
}

/** Puts words around the message of a defect. */
function worded(before: string, after = ''): (defect: Defect) => Defect {
  return ({ message, stack }) => ({ message: before + message + after, stack });
}

/** Why a run did not try or judge everything on a target, a sentence each. */
function whyIncomplete(transcript: Transcript, judgement: Judgement | undefined): string[] {
  const named = (reason: string) => `${transcript.target.name}: ${reason}`;
  return [
    ...whyNotAllTried(transcript).map(named),
    ...whyNothingCreated(transcript).map(named),
    ...whyNotAllJudged(transcript),
    ...whyNothingJudged(judgement).map(named),
  ];
}

function whyNotAllTried({ skipped, refusedKeys, trials }: Transcript): string[] {
  const refused = refusedKeys.map(
    (key) =>
      `${toRefusal(key)}, so it was not used. Is it right, and is it a key of this deployment?`,
  );
  const missed = skipped.filter((one) => one.case.priority < 3 && isMissed(one));
  const left = [...Map.groupBy(missed, ({ reason }) => toSkipText(reason))].map(
    ([reason, { length: cases }]) =>
      `${count(cases, 'case was', 'cases were')} not made, as ${reason}`,
  );
  const notMet = trials.flatMap((trial) => (trial.outcome === 'not-met' ? [trial.reason] : []));
  return [...refused, ...left, ...notMet];
}

/** Returns why no clause got a verdict, such as a missing permission: such a run cannot pass. */
function whyNothingJudged({ results, findings }: Partial<Judgement> = {}): string[] {
  const isOpen = results?.every(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'vacuous',
  );
  const first = results?.find(({ reason }) => reason !== undefined);
  if (!isOpen || first === undefined || findings?.length !== 0) return [];
  return [`no clause could be judged (${first.check.id}: ${first.reason})`];
}

const maxSent = 500;

/** Returns the items that a run left on a target: those it created, and those it left alone. */
function toResidue(transcript: Transcript): { residue: Residue[]; leftAlone: Residue[] } {
  const left = leftItems(transcript);
  const isOthers = ({ whose }: CreatedItem) => whose === 'others' || whose === 'shared';
  return {
    residue: joinUnknown(
      left.filter((one) => !isOthers(one)).map((one) => toEntry(transcript, one)),
    ),
    leftAlone: left.filter(isOthers).map((one) => toEntry(transcript, one)),
  };
}

/** Names what failed creates may have made once for all of an operation, as nothing tells these apart. */
function joinUnknown(left: readonly Residue[]): Residue[] {
  const groups = Map.groupBy(left, (one) => {
    const { id, operation, reason } = one;
    return id === undefined && reason ? `${operation} ${reason}` : one;
  });
  return [...groups.values()].map(([first, ...others]) => {
    const one = first as Residue;
    const times = others.length > 0 ? ` (${others.length + 1} calls)` : '';
    return { ...one, ...(one.reason !== undefined && { reason: one.reason + times }) };
  });
}

function toEntry(transcript: Transcript, one: CreatedItem): Residue {
  const { target, document } = transcript;
  const { operation, id, create, isUnmarked } = one;
  const unmarked = isUnmarked ? 'it has no value that shows that the run created it' : undefined;
  const resource = findResource(document, operation);
  const deletedBy = resource && findDelete(document, resource)?.id;
  const reason = one.reason ?? (deletedBy && unmarked) ?? whyLeft(transcript, one);
  const { body } = create.request;
  return defined({
    target: target.name,
    operation: operation.id,
    id,
    deletedBy,
    reason,
    sent: typeof body === 'string' ? body.slice(0, maxSent) : undefined,
  });
}

/** Why an item was not deleted, by the last answer to its deletion. */
function whyLeft({ exchanges }: Transcript, { operation, id }: CreatedItem): string | undefined {
  const last = exchanges.findLast(
    ({ case: { operation: called, purpose } }) =>
      purpose.kind === 'tidy' &&
      purpose.id === id &&
      called?.kind === 'delete' &&
      called.resource === operation.resource,
  );
  if (!last) return undefined;
  const answer = last.response ? `answered ${last.response.status}` : 'got no answer';
  const isKept = (last.response?.status ?? 500) < 300;
  return `${last.case.operation?.id} ${answer}${isKept ? ', and deleted items are still shown' : ''}`;
}

/** The operation that deletes an item of a resource, where the document describes one. */
function findDelete({ operations }: Api, resource: Resource): Operation | undefined {
  const item = new RegExp(`^${RegExp.escape(resource.path)}/\\{[^/{}]+\\}/?$`);
  return operations.find(({ method, path }) => method === 'DELETE' && item.test(path));
}

/** Why no create gave an item of the run's own although the document allows the bodies sent. */
function whyNothingCreated(transcript: Transcript): string[] {
  const { document } = transcript;
  const creates = Map.groupBy(answeredFor(transcript, 'create'), (one) => one.case.operation);
  return [...creates].flatMap(([operation, all]) => {
    const [first] = all;
    const isRefused = all.every(({ response }) => response.status >= 300);
    // An answer that shows no id is none of an item that could be proven.
    const isShown = all.every(({ made, response }) => response.status >= 300 || made?.id);
    const isProven = transcript.exchanges.some(
      (one) => one.case.operation === operation && (ownIdOf(one) ?? one.made?.isEchoed),
    );
    const { schema } = (operation && sendableBodyOf(operation)) ?? {};
    if (!operation || !first || !isShown || isProven) return [];
    const findProblems = schema && compileSent(document, schema);
    const isAllowed = all.some((one) => findProblems?.(sentValue(one)).length === 0);
    if (!isAllowed && !isRefused) return [];
    const said = toExcerpt(first.response.text, 120).trim();
    const resource = findResource(document, operation);
    const open = (resource ? planBodies(document, resource).properties : []).find(
      ({ required, made, schema }) =>
        required &&
        made === false &&
        schema.default === undefined &&
        compileSent(document, schema)(true).length === 0,
    );
    const isMissed = open && all.every(({ response: { status } }) => incomplete.includes(status));
    const hint = isMissed
      ? `; ${open.name} was sent as false: if it has to be true, give it "default: true" in the document or an overlay`
      : '';
    const answer = `${first.response.status}${said && `, ${said}`}${hint}`;
    const made = isRefused ? 'nothing' : "no item that is proven to be the run's own";
    const sent = isAllowed ? 'the bodies that the document allows' : 'what was sent';
    return [`${operation.id} made ${made} of ${sent} (${answer})`];
  });
}

/** Purposes of calls that are made to be refused. */
const toBeRefused = ['invalid-create', 'unknown-id', 'credential', 'protocol', 'silence'];

/** The operations whose calls a target refused, all of them, with what it said to the last one. */
function toRefused(
  { operations }: Api,
  { target, exchanges }: Pick<Transcript, 'target' | 'exchanges'>,
): Refused[] {
  const fair = exchanges
    .filter(isAnswered)
    .filter(
      ({ case: { credential, purpose } }) =>
        credential === 'valid' && !toBeRefused.includes(purpose.kind),
    );
  const answers = Map.groupBy(fair, ({ case: { operation } }) => operation?.id);
  return operations.flatMap(({ id, method, path }): Refused[] => {
    const all = answers.get(id) ?? [];
    // What is made up tells less of what is missing.
    const last = all.findLast((one) => one.case.purpose.kind !== 'fuzz') ?? all.at(-1);
    if (!last || all.some(({ response }) => response.status < 400)) return [];
    return [{ target: target.name, operation: id, method, path, reason: toWords(last) }];
  });
}

function toWords({ response: { status, text } }: Answer): string {
  const words = toExcerpt(text.replace(/\s+/g, ' ').trim(), 160);
  return words === '' ? String(status) : `${status} ${words}`;
}
