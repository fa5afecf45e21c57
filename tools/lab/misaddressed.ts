import type { Mutate } from './deployment.ts';
import { family, type Row } from './row.ts';
import type { Call } from './shop.ts';

/** Sends every call elsewhere, whoever makes it. */
function redirecting(status: number, to: (call: Call) => string): Mutate {
  return () => ({
    send: (call, _, response) => {
      response.writeHead(status, { Location: to(call) }).end();
      return true;
    },
  });
}

/**
 * Answers every path outside the deployment's own with a page, as the server of a web site does.
 */
const site: Mutate = () => ({
  send: (call, _, response) => {
    if (call.path !== '') return false;
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Pets</title>');
    return true;
  },
});

/**
 * Deployments that are right and reached at a wrong address: the command says so, and blames
 * nobody.
 */
export const misaddressed: Row[] = family('misaddressed', '§4', {
  'address-prefix-too-much': {
    about: 'the address has a path in front that is not there',
    given: (url) => url.replace(/\/v1$/, '/wrong/shop/v1'),
    says: /answers 404 to every call, e\.g\. GET \/pets\. Is its path right\? \/pets must be what follows it\.$/,
  },
  'address-prefix-missing': {
    about: 'the address lacks the path in front',
    prefix: '/shops/7',
    given: (url) => url.replace('/shops/7', ''),
    says: /answers 404 to every call, e\.g\. GET \/pets\. Is its path right\? \/pets must be what follows it\.$/,
  },
  'address-404-page': {
    about: 'nothing is at the address, and a page says so',
    mutate: () => ({
      send: (_, _answer, response) => {
        response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not Found</h1>');
        return true;
      },
    }),
    says: /answers 404 to every call/,
  },
  'address-web-site': {
    about: 'a web site is at the address',
    mutate: site,
    given: (url) => url.replace(/\/v1$/, '/shop/v1'),
    says: /answers every call with a web page.+Is its path right\? \/pets must be what follows it\.$/,
  },
  'address-https-wanted': {
    about: 'every call over http is redirected to https',
    mutate: redirecting(301, ({ headers, path }) => `https://${headers.host}/v1${path}`),
    says: /redirects every call, e\.g\. GET \/pets to https:\/\/\S+, and redirects are not followed\. Give https:\/\/127\.0\.0\.1:\d+\/v1 instead\.$/,
  },
  'address-moved': {
    about: 'every call is redirected to another path',
    mutate: redirecting(308, ({ path }) => `/store/v1${path}?from=v1`),
    says: /Give http:\/\/127\.0\.0\.1:\d+\/store\/v1 instead\.$/,
  },
  'address-slash-wanted': {
    about: 'every call is redirected to its path with a slash behind it',
    mutate: redirecting(301, ({ path }) => `/v1${path}/`),
    says: /The interface has \/pets without the slash: make the target answer there\.$/,
  },
  'address-login': {
    about: 'every call is redirected to a page for signing in',
    mutate: redirecting(302, () => 'https://login.example/start'),
    says: /to https:\/\/login\.example\/start, and redirects are not followed\. Give the address that answers without a redirect\.$/,
  },
});
