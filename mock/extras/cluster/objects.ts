import { createHash } from 'node:crypto';
import { isObject, stringifyExact } from '../../../common/json.ts';
import type { Answer, TextAnswer } from '../../answers/answer.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import type { ObjectKind, ObjectType } from './object-types.ts';

export type Stamp = { version: string; now: number };

/** Returns the metadata of an object. */
export function metadataOf({ metadata }: Fields): Fields {
  return isObject(metadata) ? metadata : {};
}

/** Creates an object from a body; properties of the service override the body. */
export function toNewObject(type: ObjectKind, body: Fields, { version, now }: Stamp): Fields {
  const { name, generateName, ...others } = metadataOf(body);
  const uid = toUid(`${type.kind}/${version}`, { ...others, name: name ?? generateName });
  const made = name ?? (generateName === undefined ? undefined : generateName + uid.slice(-5));
  const metadata = {
    ...(made !== undefined && { name: made }),
    ...(generateName !== undefined && { generateName }),
    ...others,
    uid,
    resourceVersion: version,
    creationTimestamp: `${new Date(now).toISOString().slice(0, 19)}Z`,
  };
  return { ...body, kind: type.kind, apiVersion: type.apiVersion, metadata };
}

/** An object as a change leaves it: what tells it from others stays. */
export function toChangedObject(fields: Fields, before: Fields, version: string): Fields {
  const { uid, creationTimestamp } = metadataOf(before);
  const own = { uid, ...(creationTimestamp !== undefined && { creationTimestamp }) };
  const { kind, apiVersion } = before;
  const metadata = { ...metadataOf(fields), ...own, resourceVersion: version };
  return { ...fields, kind, apiVersion, metadata };
}

/** Returns an object for a response. An initial object lacks some common properties. */
export function toObject({ kind, apiVersion, resource }: ObjectType, fields: Fields): Fields {
  const own = metadataOf(fields);
  const metadata = {
    ...own,
    uid: own.uid ?? toUid(resource.name, own),
    resourceVersion: own.resourceVersion ?? '1',
  };
  return { ...fields, kind, apiVersion, metadata };
}

/** An id that is the same each time for what is in one place under one name. */
function toUid(place: string, { namespace, name }: Fields): string {
  const hash = createHash('sha256').update(`${place}/${namespace}/${name}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

export function toJson(value: unknown): ByteText {
  return toByteText(stringifyExact(value) ?? 'null');
}

/** The object that a success shows. */
export function objectIn(answer: Answer | TextAnswer): Fields | undefined {
  const isShown = 'json' in answer && answer.status < 300 && answer.json !== '';
  return isShown ? fieldsOf(answer.json) : undefined;
}

/** Returns an answer with its object changed. */
export function withObject(
  answer: Answer | TextAnswer,
  change: (fields: Fields) => Fields,
): Answer | TextAnswer {
  const fields = objectIn(answer);
  return fields && 'json' in answer ? { ...answer, json: toJson(change(fields)) } : answer;
}
