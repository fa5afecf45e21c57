import { h, render } from 'preact';
import { createAdmin } from '../../pages/browser/admin.ts';
import { Shell } from './shell.ts';

const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(h(Shell, { admin: createAdmin() }), root);
}
