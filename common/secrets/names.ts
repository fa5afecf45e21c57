/*
 * What is a secret, in the journal, archives, reports and lines of curl alike:
 *
 * - the keys that a user names, and those that clients were seen to send;
 * - the value of a header, a parameter, a cookie or a member whose name says so, or which a
 *   document's security schemes or a user name; a scheme before it, such as Bearer, is none.
 *
 * How it is hidden: first each such field gets something else in its place (fields.ts),
 * `[Filtered]` in the journal, `$KEY` in reports, and in archives a name that is the same wherever
 * the secret was. Then each secret that is known is taken out of all texts, whole or cut, in any
 * case, and however it is coded (texts.ts, coded.ts): a deployment may repeat what it was sent. A
 * secret of fewer than six characters is taken out of whole values alone, and names of members and
 * of users stay.
 */

const secretNames =
  /authorization|cookie|token|secret|pass(?:word|phrase|wd|code)|pwd|(?:^|[-_. ])pin(?:[-_. ]code)?$|credential|signature|(?:api|access|auth|private)[-_. ]?key|code[-_]?verifier|^(?:sig|x-auth)$/i;

/** The schemes of credentials that are known without a document, as a pattern. */
export const schemeWords =
  'basic|bearer|token|digest|api-?key|key|jwt|oauth|hawk|negotiate|dpop|mutual|gnap';

const knownSchemes = new RegExp(`^(?:${schemeWords})$`, 'i');

/** Whether a header, a parameter or a member of this name is there for a key or a session. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1-');
  return [name, words].some((one) => secretNames.test(one)) && !/^access-control-/i.test(name);
}

/** Whether a query parameter of a recording is there for a key or a session. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || ['key', 'code'].includes(name.toLowerCase());
}

/** Which fields hold secrets, by their names in any case. */
export type FieldRules = {
  isHeader: (name: string) => boolean;
  isParameter: (name: string) => boolean;
  isMember: (name: string) => boolean;
  /** Whether a user asked for it, so that it is hidden whatever its value is. */
  isNamed: (name: string) => boolean;
  /** Whether the word before a credential is its scheme; another one may be a part of a secret. */
  isScheme: (word: string) => boolean;
};

/** The names that hold secrets besides the usual ones. */
export type OwnNames = {
  /** Of headers, and of parameters, that a document describes. */
  headers?: readonly string[];
  parameters?: readonly string[];
  /** Of fields of any kind that a user asks to hide. */
  named?: readonly string[];
  schemes?: readonly string[];
};

/** The rules for these names; `isUsual` are parameters that are hidden for their names alone. */
export function toFieldRules(
  { headers = [], parameters = [], named = [], schemes = [] }: OwnNames = {},
  isUsual = isSecretParameter,
): FieldRules {
  const isNamed = isOneOf(named);
  const [isOwnHeader, isOwnParameter] = [isOneOf(headers), isOneOf(parameters)];
  const isOwnScheme = isOneOf(schemes);
  return {
    isNamed,
    isHeader: (name) => isNamed(name) || isOwnHeader(name) || isSecretName(name),
    isParameter: (name) => isNamed(name) || isOwnParameter(name) || isUsual(name),
    isMember: (name) => isNamed(name) || isSecretName(name),
    isScheme: (word) => knownSchemes.test(word) || isOwnScheme(word),
  };
}

function isOneOf(names: readonly string[]): (name: string) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (name) => known.has(name.toLowerCase());
}
