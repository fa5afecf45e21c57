type MayBeUndefined<Value> = 0 extends 1 & Value ? false : undefined extends Value ? true : false;

/** An object without the members that are undefined. */
export type WithoutUndefined<Fields> = {
  [Name in keyof Fields as MayBeUndefined<Fields[Name]> extends true ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as MayBeUndefined<Fields[Name]> extends true ? Name : never]?: Exclude<
    Fields[Name],
    undefined
  >;
};

/** The members of an object that are not undefined. */
export function defined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const left: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) left[name] = fields[name];
  return left as WithoutUndefined<Fields>;
}
