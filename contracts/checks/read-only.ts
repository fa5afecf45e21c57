import { toInstant } from '../../common/instant.ts';
import type { Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { readOnlyFields } from '../cases/read-only.ts';
import { aboutMember, type Check, called, shown, shownMember } from '../clauses/check.ts';
import { ownCreates } from '../transcript/created-items.ts';
import type { Answer } from '../transcript/exchange.ts';
import { isSameText, itemWithId, sentFields } from '../transcript/items.ts';
import { isPlain, madeChanges, recordsOf } from '../transcript/ledger.ts';
import type { Transcript } from '../transcript/transcript.ts';

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
      for (const { id, request, looks } of names.length > 0 ? seen(transcript, resource) : []) {
        const sent = sentFields(request);
        for (const look of looks) {
          const item = itemWithId(look, resource, id);
          for (const name of item ? names.filter((one) => one in sent) : [])
            judge.hold(!isTaken(item?.[name], sent[name]), look, () => ({
              message: `${called(request)} sets "${name}", which the document marks as readOnly`,
              expected: `another "${name}" than ${shown(sent[name])}, or a refusal`,
              actual: `${shownMember(item ?? {}, name)}, in ${called(look)}`,
              group: `"${name}" is marked as readOnly`,
              ...aboutMember(id, name),
            }));
        }
      }
    }
  },
};

/**
 * The creates of own items, each with the first look at its item or with its own answer, and the
 * changes that send what is marked readOnly.
 */
function seen(
  transcript: Transcript,
  resource: Resource,
): { id: string; request: Answer; looks: readonly Answer[] }[] {
  const records = recordsOf(transcript, resource);
  const creates = ownCreates(transcript, resource).map(({ id, exchange: request }) => {
    const shown = records.find((one) => one.id === id)?.shown ?? [];
    const look = shown.find((one) => isPlain(one) && one.exchange.number > request.number);
    return { id, request, looks: [look?.exchange ?? request] };
  });
  const changes = madeChanges(transcript, 'read-only')
    .filter(({ change }) => findResource(transcript.document, change.case.operation) === resource)
    .map(({ change, looks }) => ({ id: change.case.purpose.id, request: change, looks }));
  return [...creates, ...changes];
}

/** Whether a value is the one that was sent; a time may be written in another form. */
function isTaken(value: unknown, sent: unknown): boolean {
  return isSameText(value, sent) || toInstant(value) === toInstant(sent);
}
