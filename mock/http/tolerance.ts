/** Settings of what a mock does not check or store, as they are given. */
export type ToleranceSettings = {
  /** Whether callers need valid credentials. */
  auth?: 'check' | 'any';
  /** Whether requests need the path of the document's server. */
  basePath?: 'required' | 'optional';
  /** The response to an id that does not exist: 404, or an example of it. */
  unknownIds?: 'refuse' | 'example';
  /** Whether nothing is stored; where the others are not given, they are tolerant. */
  stateless: boolean;
  /** The key of a real service, which no unknown caller may use. */
  forwardKey?: string;
};

/** Says what a mock does not check or store. */
export type Tolerance = {
  admitsAnyone: boolean;
  isBaseOptional: boolean;
  givesExamples: boolean;
  isStateless: boolean;
};

/** Returns the tolerance that settings ask for. */
export function toTolerance({
  stateless: isStateless,
  auth = isStateless ? 'any' : 'check',
  basePath = isStateless ? 'optional' : 'required',
  unknownIds = isStateless ? 'example' : 'refuse',
  forwardKey,
}: ToleranceSettings): Tolerance {
  return {
    admitsAnyone: auth === 'any' && forwardKey === undefined,
    isBaseOptional: basePath === 'optional',
    givesExamples: unknownIds === 'example',
    isStateless,
  };
}
