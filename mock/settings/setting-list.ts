import { type Setting, settings } from './settings.ts';

/** A setting with its name in code, its flag and its environment variable. */
export type ListedSetting = Setting & { name: string; flag: string; variable: string };

/** Every setting, in the order of the help. */
export const settingList: readonly ListedSetting[] = Object.entries(settings).map(
  ([name, setting]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { ...setting, name, flag, variable: toVariable(flag) };
  },
);

/** The environment variable of a flag. */
export function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}
