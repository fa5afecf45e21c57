import { membersOf } from '../json.ts';

const secretName =
  /authorization|cookie|token|secret|password|credential|signature|(?:api|access|auth|private)[-_]?key|code[-_]?verifier|^(?:sig|x-auth)$/i;

/** Whether a header, a member or a field of this name is there for a key or a session. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !/^access-control-/i.test(name);
}

/** Whether a query parameter of this name is there for a key or a session. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || ['key', 'code'].includes(name.toLowerCase());
}

/** Whether an entry of a HAR shows a credential, of whatever kind. */
export function showsCredentials({ request, response }: Record<string, unknown>): boolean {
  const { headers, queryString } = membersOf(request) ?? {};
  return (
    namesOf(headers).some(isSecretName) ||
    namesOf(queryString).some(isSecretParameter) ||
    namesOf(membersOf(response)?.headers).some(isSecretName)
  );
}

function namesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map((one) => String(membersOf(one)?.name ?? '')) : [];
}
