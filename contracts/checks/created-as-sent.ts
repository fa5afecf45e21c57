import { isSame } from '../../common/json.ts';
import { topOf, valueAt } from '../../common/property-path.ts';
import type { Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { bodyPartsOf } from '../cases/body-parts.ts';
import { aboutMember, type Check, called, clauseOf, shown, shownMember } from '../clauses/check.ts';
import { isStatedSuccess, statedSuccess } from '../document/stated.ts';
import { isSameText, itemIn, sentFields } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** A created item has the values that were sent, to the letter and to the digit. */
export const createdAsSent: Check = {
  id: 'created-as-sent',
  clause: clauseOf('created-as-sent'),
  unheld: 'no create was answered with its stated status',
  cases: ['create'],
  needsCases: ['create'],
  needs: 'the clause itself',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'create')) {
      const { case: testCase, response } = exchange;
      const resource = findResource(transcript.document, testCase.operation);
      const { idProperty = 'id' } = resource ?? {};
      const got = itemIn(exchange);
      if (!got || !testCase.operation || !showsCreated(testCase.operation, response.status))
        continue;
      const { document } = transcript;
      const { schema } = bodyPartsOf(document, testCase.operation);
      const sent = sentFields(exchange);
      const { properties } = document.schemas.describeSchema(schema);
      // A value of a form is a text, which a deployment may read as what it likes.
      const isReturned = testCase.form ? isSameText : isSame;
      const isOneWay = (name: string) =>
        (['readOnly', 'writeOnly'] as const).some((mark) =>
          document.schemas.isMarked(properties[name], mark),
        );
      for (const [name, value] of Object.entries(sent)) {
        // What becomes of other fields is left open.
        const isOpen = name === topOf(idProperty) || !Object.hasOwn(properties, name);
        if (isOpen || isOneWay(name)) continue;
        judge.hold(isReturned(got[name], value), exchange, () => ({
          message: `${called(exchange)} does not return "${name}" as it was sent`,
          expected: `"${name}": ${shown(value)}`,
          actual: shownMember(got, name),
          ...aboutMember(valueAt(got, idProperty), name),
        }));
      }
    }
  },
};

/** Whether a status is the first success that is stated, or 201, which may be a further one. */
function showsCreated(operation: Operation, status: number): boolean {
  const isFurther = status === 201 && isStatedSuccess(operation, status);
  return isFurther || status === statedSuccess(operation);
}
