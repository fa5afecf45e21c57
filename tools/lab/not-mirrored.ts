/** The correct deployments of the lab that no pins can mirror, each with the reason. */
export const cannotBeMirrored: Readonly<Record<string, string>> = {};
