import { toInstant } from '../../common/instant.ts';
import type { Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import type { Fields } from '../cases/body-parts.ts';
import { readOnlyFields } from '../cases/read-only.ts';
import { aboutMember, type Check, called, shown, shownMember } from '../clauses/check.ts';
import { ownCreates } from '../transcript/created-items.ts';
import type { Answered } from '../transcript/exchange.ts';
import { type Item, isSameText, itemIn, itemWithId, sentFields } from '../transcript/items.ts';
import { isPlain, madeChanges, recordsOf } from '../transcript/ledger.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** An item as an answer shows it after a request that sent what is marked readOnly. */
type Look = { id: string; request: Answered; sent: Fields; answer: Answered; item: Item };

/** A property that is marked readOnly has no value that a request sent for it. */
export const readOnly: Check = {
  id: 'read-only',
  clause: {
    basis: 'standard',
    source: 'JSON Schema Validation §9.4',
    text: 'A property that is marked readOnly is set by no request.',
  },
  unheld: 'no request that sent such a property was answered with a success and seen again',
  cases: ['create', 'change', 'look'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'a property for responses alone',
  part: 'body',
  judge(transcript, judge) {
    const { document } = transcript;
    for (const resource of collectionsOf(document)) {
      const names = Object.keys(readOnlyFields(document, resource));
      if (names.length === 0) continue;
      const looks = [
        ...looksAtCreates(transcript, resource),
        ...looksAtChanges(transcript, resource),
      ];
      for (const { id, request, sent, answer, item } of looks)
        for (const name of names.filter((one) => one in sent))
          judge.hold(!isTaken(item[name], sent[name]), answer, () => ({
            message: `${called(request)} sets "${name}", which the document marks as readOnly`,
            expected: `another "${name}" than ${shown(sent[name])}, or a refusal`,
            actual: `${shownMember(item, name)}, in ${called(answer)}`,
            group: `"${name}" is marked as readOnly`,
            ...aboutMember(id, name),
          }));
    }
  },
};

/** The first plain look at each created item, or the answer of the create where there is none. */
function looksAtCreates(transcript: Transcript, resource: Resource): Look[] {
  const records = recordsOf(transcript, resource);
  return ownCreates(transcript, resource).flatMap(({ id, exchange: request }) => {
    const sent = sentFields(request, resource);
    const record = records.find((one) => one.id === id);
    const seen = record?.shown.find((one) => isPlain(one) && one.exchange.number > request.number);
    const { item = itemIn(request), exchange: answer = request } = seen ?? {};
    return item ? [{ id, request, sent, answer, item }] : [];
  });
}

function looksAtChanges(transcript: Transcript, resource: Resource): Look[] {
  return madeChanges(transcript, 'read-only').flatMap(({ change: request, looks }) => {
    const { operation, purpose } = request.case;
    if (findResource(transcript.document, operation) !== resource) return [];
    const { id } = purpose;
    const kind = operation === resource.operations.replace ? 'replace' : 'update';
    const sent = sentFields(request, resource, kind);
    return looks.flatMap((answer) => {
      const item = itemWithId(answer, resource, id);
      return item ? [{ id, request, sent, answer, item }] : [];
    });
  });
}

/** Whether a value is the one that was sent; a time may be written in another form. */
function isTaken(value: unknown, sent: unknown): boolean {
  return isSameText(value, sent) || toInstant(value) === toInstant(sent);
}
