import { defined } from '../../common/defined.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import type { Residue } from '../report/events.ts';
import { type Created, leftItems } from '../transcript/leftovers.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** How much of a body is shown, in characters. */
const maxSent = 500;

/** Returns the items that a run left on a target: those it created, and those it left alone. */
export function toResidue(transcript: Transcript): { residue: Residue[]; leftAlone: Residue[] } {
  const left = leftItems(transcript);
  const isOthers = ({ whose }: Created) => whose === 'others' || whose === 'shared';
  return {
    residue: left.filter((one) => !isOthers(one)).map((one) => toEntry(transcript, one)),
    leftAlone: left.filter(isOthers).map((one) => toEntry(transcript, one)),
  };
}

function toEntry(transcript: Transcript, one: Created): Residue {
  const { target, document } = transcript;
  const { operation, id, create, isUnmarked } = one;
  const unmarked = isUnmarked ? 'nothing in it shows that the run made it' : undefined;
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
function whyLeft({ exchanges }: Transcript, { operation, id }: Created): string | undefined {
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
