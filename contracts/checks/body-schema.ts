import { findResource } from '../document.ts';
import type { Answered } from '../transcript/exchange.ts';
import type { SchemaProblem } from '../transcript/schema-problems.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { aboutItem, type Check, called } from './check.ts';
import { successBodies } from './success-bodies.ts';
import { toWrongBody } from './wrong-body.ts';

/** Each success body fits its schema, down to the last item of a long list. */
export const bodySchema: Check = {
  id: 'body-schema',
  clause: {
    basis: 'stated',
    source: '§2, §4',
    text: 'A success body fits its schema: fields, types and values, in every item of a list.',
  },
  needs: 'a schema of a success',
  follows: ['media-type', 'invalid-body', 'created-as-sent'],
  part: 'body',
  judge(transcript, judge) {
    const byStatus = Map.groupBy(
      successBodies(transcript),
      ({ exchange }) => `${called(exchange)} answers ${exchange.response.status} with a body that breaks its schema`,
    );
    for (const [what, bodies] of byStatus) {
      const all = [...new Map(bodies.flatMap(({ problems }) => problems.map((one) => [one.kind, one]))).values()];
      for (const { exchange, problems } of bodies)
        judge.hold(problems.length === 0, exchange, () => ({
          ...toWrongBody(what, exchange.response, problems, all),
          group: what,
          ...aboutItem(...idsOf(transcript, exchange, problems)),
        }));
    }
  },
};

/** The ids of the items that break their schema. */
function idsOf(
  { document }: Transcript,
  { case: { operation }, response: { json } }: Answered,
  problems: SchemaProblem[],
): unknown[] {
  const { idProperty = 'id' } = findResource(document, operation) ?? {};
  const idOf = (item: unknown) => (item as Record<string, unknown> | null | undefined)?.[idProperty];
  return Array.isArray(json) ? problems.flatMap(({ items }) => items.map((at) => idOf(json[at]))) : [idOf(json)];
}
