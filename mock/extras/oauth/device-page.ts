import { html, type Markup } from '../../../contracts/look/markup.ts';
import { code, quoted } from '../../../contracts/look/parts.ts';
import type { TextAnswer } from '../../answers/answer.ts';
import { toPage } from '../pages/page.ts';
import type { Device } from './context.ts';
import type { DeviceView, ToDevicePage } from './device.ts';

/** Makes the page where the user of a device enters its code and allows or denies it. */
export function createToDevicePage(title: string): ToDevicePage {
  return async (view): Promise<TextAnswer> => {
    const { device, unknownCode, problem } = view;
    const heading = device?.decision ? outcomes[device.decision].heading : 'Connect a device';
    const body = html`
<header class="masthead ${device?.decision === 'denied' ? 'is-known' : 'is-kept'}"><div class="wrap">
<p class="over">petstore-twin plays the login of ${quoted(title)}</p>
<h1>${heading}</h1>
</div></header>
<main class="wrap device">
${device ? aboutDevice(device) : codeForm(view)}
</main>`;
    const page = toPage({
      title: `${heading}: ${title}`,
      root: '../',
      styles: ['pages/device.css'],
      sendsForms: true,
      body,
    });
    const headers = { ...page.headers, 'Cache-Control': 'no-store' };
    return { ...page, status: (unknownCode ?? problem) === undefined ? 200 : 400, headers };
  };
}

const outcomes = {
  allowed: { heading: 'The device is allowed', text: 'It gets its tokens when it asks next.' },
  denied: { heading: 'The device is denied', text: 'It is told so when it asks next.' },
};

const unknown =
  'No device waits with this code. It may have ended, or another process of the twin gave it.';

function codeForm({ unknownCode, problem }: DeviceView): Markup {
  const isUnknown = unknownCode !== undefined;
  return html`
${problem !== undefined && html`<p class="card" role="alert">${problem}</p>`}
<form class="card stack" method="get">
<div class="field">
<label for="code">Code that the device shows</label>
<input id="code" name="user_code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" value="${unknownCode ?? ''}"${isUnknown && html` aria-invalid="true" aria-describedby="problem"`}>
${isUnknown && html`<p id="problem" role="alert">${unknown}</p>`}
</div>
<div class="row"><button>Continue</button></div>
</form>`;
}

function aboutDevice({ userCode, client, scope, agreesAt, decision }: Device): Markup {
  const facts = html`
<dl class="facts">
<div><dt>Code</dt><dd>${code(userCode)}</dd></div>
<div><dt>Client</dt><dd>${quoted(client)}</dd></div>
<div><dt>Scopes</dt><dd>${scope === '' ? 'none' : code(scope)}</dd></div>
</dl>`;
  if (decision)
    return html`<div class="card stack"><p role="status">${outcomes[decision].text}</p>${facts}</div>`;
  return html`
<form class="card stack" method="post">
${facts}
<p class="note">Allow this only if the device in front of you shows the same code. Without an answer, the twin allows it by itself when its clock shows ${new Date(agreesAt).toISOString()}.</p>
<input type="hidden" name="user_code" value="${userCode}">
<div class="row"><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
</form>`;
}
