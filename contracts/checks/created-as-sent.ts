import { describeSchema, findResource } from '../description/document.ts';
import { isMarked } from '../description/marks.ts';
import { statedSuccess } from '../description/stated.ts';
import { membersOf, parseJson } from '../json.ts';
import { itemIn } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { aboutMember, type Check, called, isSame, shown } from './check.ts';
import { clauseOf } from './clause-of.ts';

/** A created item has the values that were sent, to the letter and to the digit. */
export const createdAsSent: Check = {
  id: 'created-as-sent',
  clause: clauseOf('created-as-sent'),
  unheld: 'no create was answered with its stated status',
  cases: ['create'],
  needs: 'the clause itself',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'create')) {
      const { case: testCase, request, response } = exchange;
      const { idProperty = 'id' } = findResource(transcript.document, testCase.operation) ?? {};
      const got = itemIn(exchange);
      if (!got || !testCase.operation || response.status !== statedSuccess(testCase.operation))
        continue;
      const sent = membersOf(parseJson(String(request.body))) ?? {};
      const { document } = transcript;
      const { properties } = describeSchema(document, testCase.operation.body?.schema ?? {});
      const isOneWay = (name: string) =>
        (['readOnly', 'writeOnly'] as const).some((mark) =>
          isMarked(document.raw, properties[name], mark),
        );
      for (const [name, value] of Object.entries(sent)) {
        // What becomes of other fields is left open.
        if (name === idProperty || !Object.hasOwn(properties, name) || isOneWay(name)) continue;
        judge.hold(isSame(got[name], value), exchange, () => ({
          message: `${called(exchange)} does not return "${name}" as it was sent`,
          expected: `"${name}": ${shown(value)}`,
          actual: Object.hasOwn(got, name) ? `"${name}": ${shown(got[name])}` : `no "${name}"`,
          ...aboutMember(got[idProperty], name),
        }));
      }
    }
  },
};
