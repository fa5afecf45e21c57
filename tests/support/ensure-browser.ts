import { spawnSync } from 'node:child_process';
import { findBrowser } from './browser.ts';

// The browser tests need a Chromium: one that is there, or Debian's where this runs as root.
if (
  !findBrowser() &&
  process.getuid?.() === 0 &&
  spawnSync('apt-get', ['--version']).status === 0
) {
  console.error('Installing Chromium for the browser tests ...');
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell'], { stdio: 'ignore' });
}
if (!findBrowser()) {
  console.error('The browser tests need a Chromium. Run: npx playwright install chromium');
  process.exit(2);
}
