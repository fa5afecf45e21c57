import { errorTable } from '../../answers/errors.ts';
import { type BanPolicy, PolicyError, toBan } from '../../limits/plans.ts';
import {
  asObject,
  isStatus,
  oneOf,
  type Parse,
  PinError,
  parseForm,
  parts,
  within,
} from './parse-answer.ts';
import type { ListOrder, Pins } from './pins.ts';

/** The twin's own answer changes nothing; any other is parsed. */
export function unless<Change extends object>(
  own: string,
  parse: Parse<Change>,
): Parse<Partial<Change>> {
  return (value) => {
    if (value === own) return {};
    try {
      return parse(value);
    } catch (error) {
      throw error instanceof PinError && typeof value === 'string'
        ? new PinError(error.message.replace('must be ', `must be ${own}, `))
        : error;
    }
  };
}

/** Reads an answer for each of some names, or one for all of them. */
export function eachOrAll<Name extends string, Value>(
  names: readonly Name[],
  parse: Parse<Value>,
): Parse<Partial<Record<Name, Value>>> {
  const toAll = <One>(one: One) =>
    Object.fromEntries(names.map((name) => [name, one])) as Record<Name, One>;
  return (value) => {
    const isOne = typeof value !== 'object' || value === null || Object.hasOwn(value, 'status');
    return isOne
      ? toAll(parse(value))
      : (parts<Record<string, Value>>(toAll(parse))(value) as Partial<Record<Name, Value>>);
  };
}

/** Reads when keys are banned; false for never. Throws {@link PinError}. */
export function parseBan(value: unknown): BanPolicy | false {
  if (value === 'none') return false;
  try {
    return toBan(asObject(value, 'none or an object of strikes and seconds'));
  } catch (error) {
    throw error instanceof PolicyError ? new PinError(`is wrong: ${error.message}`) : error;
  }
}

/** Reads the length of a window in seconds, up to a day. Throws {@link PinError}. */
export function parseLength(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 86_400)
    return Number(value);
  throw new PinError('must be a whole number of seconds from 1 to 86400');
}

/** Reads a list of statuses. Throws {@link PinError}. */
export function parseStatuses(value: unknown): number[] {
  if (Array.isArray(value) && value.every(isStatus)) return value;
  throw new PinError('must be a list of statuses from 200 to 599');
}

/** Reads a text that is not empty. Throws {@link PinError}. */
export function parseText(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new PinError('must be a text');
}

/** Reads an order of lists other than the twin's own. Throws {@link PinError}. */
export function parseOrder(value: unknown): ListOrder {
  if (typeof value === 'string') return oneOf('newest-first')(value);
  const { by, descending = false } = parts({ by: parseText, descending: parseSwitch })(value);
  if (by === undefined) throw new PinError('has no "by", the property that decides');
  return { by, descending };
}

function parseSwitch(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new PinError('must be true or false');
}

/** Reads forms of errors by the code that the twin has for them. Throws {@link PinError}. */
export function parseErrors(value: unknown): Pick<Pins, 'errors'> {
  const forms = Object.entries(asObject(value, 'an object of errors by code')).map(
    ([code, form]) => {
      if (!Object.hasOwn(errorTable, code))
        throw new PinError(`has an unknown code "${code}"; docs/errors.md lists them`);
      return [code, within(code, () => parseForm(form))] as const;
    },
  );
  return { errors: Object.fromEntries(forms) };
}
