import type { Step } from '../../call/steps.ts';
import type { ByteText } from '../../json/exact-json.ts';

/** Times as the mock makes them, as whole texts of JSON. */
const ownTimes = /(?<=")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=")/g;

/** Creates the step that writes times in answers in the form of another one, such as without a fraction. */
export function createTimeStep(example: string): Step<'before sending'> {
  const write = toWriteTime(example);
  return (sending, next) => {
    const { answer } = sending;
    if ('text' in answer || !answer.json.includes('T')) return next(sending);
    next({
      ...sending,
      answer: { ...answer, json: answer.json.replace(ownTimes, write) as ByteText },
    });
  };
}

/** Creates the writer of a time of UTC in the form of an example: its separator, fraction and offset, or as in mails. */
function toWriteTime(example: string): (time: string) => string {
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
}
