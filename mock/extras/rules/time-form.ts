import { remembered } from '../../../common/remembered.ts';
import type { Step } from '../../call/steps.ts';
import { localsOf } from '../../http/locals.ts';
import type { ByteText } from '../../json/exact-json.ts';

/** Times as the mock makes them, as whole texts of JSON. */
const ownTimes = /(?<=")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=")/g;

/**
 * Creates the step that writes times in answers in the form of another one, such as without a fraction:
 * that of the operation, or else of the document.
 */
export function createTimeStep(ofAll: string | undefined): Step<'before sending'> {
  return (sending, next) => {
    const { answer, response } = sending;
    const example = localsOf(response).operation?.rules?.times ?? ofAll;
    if (example === undefined || 'text' in answer || !answer.json.includes('T'))
      return next(sending);
    const json = answer.json.replace(ownTimes, toWriteTime(example)) as ByteText;
    next({ ...sending, answer: { ...answer, json } });
  };
}

/** Creates the writer of a time of UTC in the form of an example: its separator, fraction and offset, or as in mails. */
const toWriteTime = remembered((example): ((time: string) => string) => {
  const [mailZone] = /(?<=^[A-Z][a-z]{2}, .* )\S+$/.exec(example) ?? [];
  if (mailZone !== undefined)
    return (time) =>
      new Date(time)
        .toUTCString()
        .replace('GMT', mailZone.replaceAll(/\d/g, '0').replace('-', '+'));
  const [, separator = 'T', fraction = '', offset = ''] =
    /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?::\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(example) ?? [];
  const zone = offset.replace(/\d/g, '0').replace('-', '+');
  return (time) => {
    const digits = time.slice(20, 23).padEnd(Math.max(fraction.length - 1, 0), '0');
    const shown = fraction === '' ? '' : `.${digits.slice(0, fraction.length - 1)}`;
    return `${time.slice(0, 10)}${separator}${time.slice(11, 19)}${shown}${zone}`;
  };
});
