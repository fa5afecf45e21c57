import type { Response as Reply, Request } from 'express';
import { idParameterOf } from '../../../contracts/description/collections/resource.ts';
import {
  createFindParent,
  itemPathsOf,
} from '../../../contracts/description/collections/scopes.ts';
import { toPlainName } from '../../../contracts/description/collections/words.ts';
import { toEssence } from '../../../contracts/description/content.ts';
import {
  type ApiDocument,
  collectionsOf,
  type Operation,
  type Resource,
  resolveSchema,
} from '../../../contracts/description/document.ts';
import { valueAt } from '../../../contracts/description/property-path.ts';
import { stringifyExact } from '../../../contracts/json-text.ts';
import { isolationOf } from '../../answers/answer.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import type { BehaviourInstead } from '../../behaviours/bind.ts';
import { findSuccess } from '../../documented/responses.ts';
import { localsOf } from '../../http/locals.ts';
import { mapNewItem } from '../../items/scoped-store.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import type { Store, StoredItem } from '../../state/store.ts';

/** A file as it was sent. */
type SentFile = { bytes: Buffer; name?: string; type: string };

/** The files of a sandbox in the memory of this process, by their items. */
const filesOf = ({ sandbox }: Call) => sandbox?.kept<SentFile>('files');

function keep(call: Call, address: string, file: SentFile): void {
  const files = filesOf(call);
  files?.delete(address);
  files?.set(address, file, file.bytes.length + 2 * (file.type.length + (file.name?.length ?? 0)));
}

/** Files that are sent are kept as they are: items tell their names and sizes, downloads give them back. */
export function createUploadBehaviours(document: ApiDocument): BehaviourInstead {
  const findParent = createFindParent(collectionsOf(document));
  return (operation, resource, make) => {
    const { kind, otherBody, method, path } = operation;
    const contents = otherBody?.contents ?? [];
    if (
      resource &&
      kind === 'create' &&
      contents.some(({ files }) => Object.keys(files).length > 0)
    )
      return createUpload(resource, make());
    if (kind) return undefined;
    const itemPath = itemPathsOf(path).at(-1) ?? '';
    const parent = findParent(itemPath);
    const isBelow = /^(\/(content|download|raw|file|data|media))?\/?$/.test(
      path.slice(itemPath.length),
    );
    if (!parent || !isBelow) return undefined;
    const at = { ...operation, path: itemPath };
    if (method === 'GET' && showsBytes(document, operation))
      return createDownload(parent, at, make());
    const takesBytes = contents.some(
      ({ schema, mediaType }) => !schema?.properties && isBinary(mediaType),
    );
    return takesBytes ? createReplacement(parent, at, make()) : undefined;
  };
}

function isBinary(mediaType: string): boolean {
  return /^(application\/octet-stream|(image|audio|video)\/.*|\*\/\*)$/.test(mediaType);
}

/** Whether a success is no object, but bytes or a text. */
function showsBytes(document: ApiDocument, operation: Operation): boolean {
  const { contents = [] } = findSuccess(operation) ?? {};
  return contents.some(({ mediaType, schema }) => {
    const { type } = resolveSchema(document, schema ?? {});
    return schema ? type === 'string' : isBinary(mediaType);
  });
}

const addressOf = ({ name }: Resource, id: unknown) => `${name}/${id}`;

function addressIn(resource: Resource, operation: Operation, { params }: Call): string {
  return addressOf(resource, params[idParameterOf(operation) ?? '']);
}

/** Creates an item that tells of its file what its properties name, and keeps the file. */
function createUpload(resource: Resource, behave: Behaviour): Behaviour {
  const { idProperty, item } = resource;
  const names = Object.keys(item.properties).filter((name) => name !== idProperty);
  const find = (words: RegExp) => names.find((name) => words.test(toPlainName(name)));
  const ofName = find(/^(original)?filename$/) ?? find(/^(original)?name$/);
  const ofSize = find(/^((file)?size|bytes|contentlength|length)$/);
  const ofType = find(/^(content|mime|media)type$/);
  return async (call) => {
    const file = await sentFile(call);
    if (!file) return behave(call);
    const given = (call.body ?? {}) as Fields;
    const facts: [string | undefined, unknown][] = [
      [ofName, file.name],
      [ofSize, file.bytes.length],
      [ofType, file.type],
    ];
    const known = facts.filter(([name]) => name !== undefined && !Object.hasOwn(given, name));
    const told: Fields = Object.fromEntries(known);
    const tell = (json: ByteText) => toByteText(stringifyExact({ ...fieldsOf(json), ...told }));
    const telling = (item: StoredItem): StoredItem => ({ ...item, json: tell(item.json) });
    const { store } = call;
    const keeping: Store = {
      ...store,
      addAll: (name, items) =>
        store.addAll(
          name,
          items.map((one) => mapNewItem(one, telling)),
        ),
    };
    const answer = await behave({ ...call, store: keeping });
    if (!('json' in answer) || answer.json === '' || answer.status >= 300) return answer;
    const id = valueAt(fieldsOf(answer.json), idProperty);
    if (id === undefined) return answer;
    keep(call, addressOf(resource, id), file);
    return { ...answer, json: tell(answer.json) };
  };
}

/** The first file of a multipart form; it was read before, so it is one. */
async function sentFile({ source }: Call): Promise<SentFile | undefined> {
  const { received } = localsOf((source as Request).res as Reply);
  const type = source.headers['content-type'] ?? '';
  if (!received || toEssence(type) !== 'multipart/form-data') return undefined;
  const headers = { 'Content-Type': type };
  const form = await new Response(new Uint8Array(received), { headers }).formData();
  const file = [...form.values()].find((one) => typeof one !== 'string');
  if (!file) return undefined;
  return { bytes: Buffer.from(await file.arrayBuffer()), name: file.name, type: file.type };
}

/** Sends the file of an item as it was sent; what the document says where there is none. */
function createDownload(resource: Resource, operation: Operation, behave: Behaviour): Behaviour {
  return async (call) => {
    const answer = await behave(call);
    const id = call.params[idParameterOf(operation) ?? ''] ?? '';
    const file = filesOf(call)?.get(addressOf(resource, id));
    const isThere = file && (await call.store.get(resource.name, id)) !== undefined;
    if (!isThere || answer.status >= 300) return answer;
    const type = file.type || 'application/octet-stream';
    const json = file.bytes.toString('latin1') as ByteText;
    return {
      status: answer.status,
      json,
      overrides: { 'Content-Type': type, ...isolationOf(type) },
    };
  };
}

/** Keeps the bytes of a body as the file of an item. */
function createReplacement(resource: Resource, operation: Operation, behave: Behaviour): Behaviour {
  return async (call) => {
    const answer = await behave(call);
    const { received } = localsOf((call.source as Request).res as Reply);
    const type = call.source.headers['content-type'] ?? '';
    if (received && answer.status < 300)
      keep(call, addressIn(resource, operation, call), { bytes: received, type });
    return answer;
  };
}
