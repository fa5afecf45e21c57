import { membersOf } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import { findResource } from '../../openapi/model/api.ts';
import {
  aboutItem,
  type Check,
  called,
  clauseOf,
  clearest,
  maxSentences,
  toWrongBody,
} from '../clauses/check.ts';
import { isStatedSuccess } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';
import type { SchemaProblem } from '../transcript/schema/problems.ts';
import { statedBodies, type Transcript } from '../transcript/transcript.ts';

/** Each success body matches its schema, down to the last item of a long list. */
export const bodySchema: Check = {
  id: 'body-schema',
  clause: clauseOf('body-schema'),
  unheld: 'no success with a described body was received',
  cases: ['list', 'read', 'create'],
  needs: 'a schema of a success',
  follows: [
    { check: 'media-type', when: ({ exchange }) => exchange.response?.json === undefined },
    'invalid-body',
    'unknown-id',
  ],
  part: 'body',
  judge(transcript, judge) {
    for (const { exchange, problems } of statedBodies(transcript, isStatedSuccess)) {
      const { operation } = exchange.case;
      const resource = findResource(transcript.document, operation)?.name ?? operation?.id;
      judge.hold(problems.length === 0, exchange, () => ({
        ...toWrongBody(
          `${called(exchange)} answers ${exchange.response.status} with a body that breaks its schema`,
          exchange.response,
          problems,
        ),
        group: `bodies of ${resource}`,
        faults: problems.map(toFault),
        ...aboutItem(...idsOf(transcript, exchange, problems)),
      }));
    }
  },
  /** All that is wrong with the bodies of a collection, once for each member. */
  sumUp(violations) {
    const shown = clearest(violations);
    const all = [shown, ...violations].flatMap(
      ({ problems, message }) => problems ?? [message.slice(message.indexOf(': ') + 2)],
    );
    const memberOf = (text: string) => text.split(' ')[0]?.replace(/\[\d+\]/g, '[]');
    const byMember = [...Map.groupBy(all, memberOf).values()].flatMap(([first]) => first ?? []);
    if (violations.length === 1 || byMember.length === 1) return shown;
    return { ...shown, problems: byMember.slice(0, maxSentences) };
  },
  isAlike(left, right) {
    const [few, many] = [left, right]
      .map((violations) => new Set(violations.flatMap(({ faults = [] }) => faults)))
      .toSorted((one, other) => one.size - other.size) as [Set<string>, Set<string>];
    return few.size > 0 && few.intersection(many).size * 2 >= few.size;
  },
};

/** Returns what is wrong with a member by its name; null is a habit of a server, whatever the name. */
function toFault({ fault, expected, actual }: SchemaProblem): string {
  return actual.endsWith(': null')
    ? `null${expected.slice(expected.lastIndexOf(': '))}`
    : fault.slice(fault.lastIndexOf('/') + 1);
}

/** The ids of the items that break their schema. */
function idsOf(
  { document }: Transcript,
  { case: { operation }, response: { json } }: Answer,
  problems: readonly SchemaProblem[],
): unknown[] {
  const { idProperty = 'id' } = findResource(document, operation) ?? {};
  const idOf = (item: unknown) => valueAt(membersOf(item), idProperty);
  return Array.isArray(json)
    ? problems.flatMap(({ items }) => items.map((at) => idOf(json[at])))
    : [idOf(json)];
}
