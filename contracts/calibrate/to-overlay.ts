import { dump } from 'js-yaml';
import type { ApiDocument } from '../description/document.ts';
import { createRedactor } from '../secrets/texts.ts';
import type { Calibration } from './calibrate.ts';

/** The pins of a target as an OpenAPI Overlay 1.0, in YAML, without its keys. */
export function toOverlay(
  { target, at, requests, pins, unpinned, unasked }: Calibration,
  { document, secrets }: { document: ApiDocument; secrets: readonly string[] },
): string {
  const overlay = {
    overlay: '1.0.0',
    info: {
      title: `What ${target} does where ${document.title} is silent`,
      version: at.slice(0, 10),
    },
    'x-calibrated': {
      requests,
      ...(unasked.length > 0 && { unasked }),
      ...(unpinned.length > 0 && {
        unpinned: Object.fromEntries(
          unpinned.map(({ silence, isAsked, reason, evidence }) => [
            silence,
            { asked: isAsked, reason, ...(evidence.length > 0 && { evidence }) },
          ]),
        ),
      }),
    },
    actions: [
      { target: '$', update: { 'x-pinned': { target, at } } },
      ...pins.map(({ silence, answer, words, evidence, times, confidence, unsure }) => ({
        target: `$['x-silences'][?@.id=='${silence}']`,
        update: { 'x-pin': { answer, summary: words, evidence, times, confidence, unsure } },
      })),
    ],
  };
  return createRedactor(secrets)(toYaml(overlay));
}

const mark = 'integer:';

/** YAML, large integers as they are. */
function toYaml(value: unknown): string {
  const text = dump(withMarks(value), { lineWidth: 120, noRefs: true });
  return text.replace(new RegExp(`['"]?${mark}(-?\\d+)['"]?`, 'g'), '$1');
}

function withMarks(value: unknown): unknown {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
      ? Number(value)
      : `${mark}${value}`;
  if (Array.isArray(value)) return value.map(withMarks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, withMarks(inner)]),
  );
}
