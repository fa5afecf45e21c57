import { toConsoleUrl } from './place.ts';

/**
 * Switches the whole console to a sandbox. The page stays, and with it the token, which is held in
 * memory alone; relative URLs lead to the new sandbox from now on.
 */
export function openSandbox(sandbox: string): void {
  history.pushState(null, '', toConsoleUrl(location, sandbox));
  dispatchEvent(new PopStateEvent('popstate'));
}
