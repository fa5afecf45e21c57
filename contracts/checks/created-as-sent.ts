import { toBodyParts } from '../cases/bodies.ts';
import { aboutMember, type Check, called, clauseOf, shown } from '../clauses/check.ts';
import {
  describeSchema,
  findResource,
  type Operation,
  type Schema,
} from '../description/document.ts';
import { isMarked } from '../description/marks.ts';
import { partsOf, valueAt } from '../description/property-path.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { isStatedSuccess, statedSuccess } from '../description/stated.ts';
import { isSame, membersOf } from '../json.ts';
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
      const { schema = {} } = sendableBodyOf(testCase.operation) ?? {};
      const { schema: inner } = toBodyParts(document, schema, resource?.bodyForm?.create);
      const sent = sentFields(exchange, resource);
      const { properties } = describeSchema(document, inner);
      // A value of a form is a text, which a deployment may read as what it likes.
      const isReturned = testCase.form ? isSameText : isSame;
      const isMarkedOneWay = (one: Schema | undefined) =>
        (['readOnly', 'writeOnly'] as const).some((mark) => isMarked(document.raw, one, mark));
      // An object with such members is answered with others than were sent.
      const isOneWay = (name: string) =>
        isMarkedOneWay(properties[name]) ||
        Object.values(describeSchema(document, properties[name] ?? {}).properties).some(
          isMarkedOneWay,
        );
      const place = partsOf(idProperty);
      // The service may set more beside an id.
      const isHeld = (held: unknown, sent: unknown) =>
        Object.entries(membersOf(sent) ?? {}).every(
          ([inner, value]) => inner === place?.inner || isReturned(membersOf(held)?.[inner], value),
        );
      for (const [name, value] of Object.entries(sent)) {
        // What becomes of other fields is left open.
        if (name === idProperty || !Object.hasOwn(properties, name) || isOneWay(name)) continue;
        const isSent = name === place?.outer ? isHeld : isReturned;
        judge.hold(isSent(got[name], value), exchange, () => ({
          message: `${called(exchange)} does not return "${name}" as it was sent`,
          expected: `"${name}": ${shown(value)}`,
          actual: Object.hasOwn(got, name) ? `"${name}": ${shown(got[name])}` : `no "${name}"`,
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
