import { dump } from 'js-yaml';
import { toJson } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import type { Api } from '../../openapi/index.ts';
import { describeFields, sendableBodyOf } from '../document/sendable-body.ts';
import type { Learned } from '../report/events.ts';
import type { Lesson } from '../transcript/transcript.ts';

type Action = { target: string; description: string; update?: object; remove?: true };

/** Lists the lessons of refusals by a target, as a report has them. */
export function toLearned(target: string, lessons: readonly Lesson[]): Learned[] {
  return lessons.map(({ operation, without, with: values, chosen = [] }) => ({
    ...{ target, operation: operation.id, method: operation.method, path: operation.path },
    without: [...without],
    with: [...Object.keys(values), ...chosen.map(({ at }) => at.join('.'))],
  }));
}

/**
 * Writes what was learned as an OpenAPI Overlay 1.0 in YAML: a run with it begins with that. Undefined
 * if the document says it already.
 */
export function toOverlayText(document: Api, learned: readonly Learned[]): string | undefined {
  const all = learned.flatMap((one) => actionsOf(document, one));
  // Several targets may teach the same.
  const actions = [...new Map(all.map((one) => [toJson(one), one])).values()];
  const info = { title: `What a deployment of ${document.title} wants in bodies`, version: '1' };
  return actions.length === 0
    ? undefined
    : dump({ overlay: '1.0.0', info, actions }, { lineWidth: 100 });
}

function actionsOf(document: Api, learned: Learned): Action[] {
  const operation = document.operations.find(({ id }) => id === learned.operation);
  if (!operation) return [];
  const { mediaType = 'application/json' } = sendableBodyOf(operation) ?? {};
  const { path, method, body } = operation;
  const place = `/paths/${toToken(path)}/${method.toLowerCase()}/requestBody/content/${toToken(mediaType)}/schema`;
  const schema = body?.schemaName ? `/components/schemas/${toToken(body.schemaName)}` : place;
  const inner = (operation.fieldsAt ?? []).map((name) => `/properties/${toToken(name)}`).join('');
  const target = toJsonPath(document.written.toPointer(schema + inner));
  const description = `${learned.operation} was refused otherwise.`;
  const { properties, required: known = [] } = describeFields(document, operation);
  const required = learned.with.filter((name) => name in properties && !known.includes(name));
  return [
    ...(required.length > 0 ? [{ target, description, update: { required } }] : []),
    ...learned.without.map((name) => ({
      ...{ target: `${target}['properties']['${quoted(name)}']`, description },
      remove: true as const,
    })),
  ];
}

/** The JSONPath (RFC 9535) of a JSON pointer. */
function toJsonPath(pointer: string): string {
  const tokens = pointer.replace(/^#/, '').split('/').slice(1);
  const names = tokens.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
  return `$${names.map((name) => `['${quoted(name)}']`).join('')}`;
}

function quoted(name: string): string {
  return name.replace(/['\\]/g, '\\$&');
}
