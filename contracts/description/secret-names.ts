const names =
  /authorization|cookie|token|secret|password|credential|signature|(?:api|access|auth|private)[-_]?key|code[-_]?verifier|^(?:sig|x-auth)$/i;

/** Whether a header, a parameter or a member of this name is there for a key or a session. */
export function isSecretName(name: string): boolean {
  return names.test(name) && !/^access-control-/i.test(name);
}
