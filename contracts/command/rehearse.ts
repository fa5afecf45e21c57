import { count } from '../../common/cli/count.ts';
import { toExcerpt, toVisible } from '../../common/look/visible.ts';
import { createRedactor } from '../../common/secrets/texts.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import { toNotCalledText } from '../report/gaps.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { compileResponses } from '../transcript/schema/validator.ts';
import { toNotCalled } from '../verify/not-called.ts';
import type { VerifyOptions, VerifyTarget } from '../verify/options.ts';
import { runTargets } from '../verify/run-targets.ts';
import { chooseCases, toChoice } from '../verify/selection.ts';

const maxBody = 120;

/**
 * Runs the calls of a verification on a mock in place of the target, with the same permissions.
 * Lists the calls by operation: what each changes, and how that is undone. Rejects as `verify`
 * does.
 */
export async function rehearse(
  options: Omit<VerifyOptions, 'targets' | 'onEvent'>,
  { stand, url }: { stand: VerifyTarget; url: string | undefined },
): Promise<string> {
  const { document, call = [] } = options;
  const whole = { ...options, targets: [stand], onEvent: () => {} };
  const runs = await runTargets(whole, {
    plan: chooseCases(whole),
    validators: compileResponses(document),
    started: Date.now(),
  });
  const transcripts = runs.map(({ transcript }) => transcript);
  const exchanges = transcripts.flatMap((one) => one.exchanges);
  const hide = createRedactor(
    exchanges.flatMap(({ request }) => request.secrets ?? []),
    { mark: '[Filtered]' },
  );
  const byOperation = Map.groupBy(exchanges, (one) => one.case.operation ?? one.case.parametersOf);
  const notCalled = toNotCalled(document, transcripts, {
    choice: toChoice(options),
    writes: stand.writes,
  });
  const lines = [
    `A run would make about ${count(exchanges.length, 'call')}. None was sent${url === undefined ? '' : ` to ${url}`}: these are those of a run on a mock`,
    'of the document. Ids, and how many calls there are, follow from what a target answers.',
    ...[...byOperation].flatMap(([operation, calls]) => [
      '',
      toVisible(
        `${operation ? `${operation.method} ${operation.path} (${operation.id})` : 'no operation'}: ${count(calls.length, 'call')}; ${operation ? effectOf(document, operation, call) : 'reads'}`,
      ),
      ...[...Map.groupBy(calls, toLine)].map(
        ([line, { length }]) => `  ${line}${length > 1 ? ` (${length} times)` : ''}`,
      ),
    ]),
    ...(notCalled.length > 0 ? ['', 'Not called:'] : []),
    ...notCalled.map((one) => `  ${toVisible(toNotCalledText(one))}`),
    '',
  ];
  return hide(lines.join('\n'));
}

function toLine({ case: { credential }, request: { method, path, body } }: Exchange): string {
  const key = credential === 'valid' ? '' : `, credential: ${credential}`;
  const sent = body === undefined ? '' : ` ${toExcerpt(String(body), maxBody)}`;
  return toVisible(`${method} ${path}${sent}${key}`);
}

/** Describes what calls of an operation change, and how that is undone. */
function effectOf(document: Api, operation: Operation, allowed: readonly string[]): string {
  const { id, kind } = operation;
  if (!isUnsafe(operation)) return 'changes nothing';
  if (allowed.includes(id))
    return 'allowed by --call: may change anything; only what it adds is deleted';
  const remove = findResource(document, operation)?.operations.delete;
  if (rowOf(kind).adds)
    return remove
      ? `adds items, which ${remove.method} ${remove.path} deletes in the end`
      : 'adds items, which stay, as no operation deletes them';
  return kind === 'delete'
    ? 'deletes items that the run added'
    : 'changes items that the run added, which are deleted with them';
}
