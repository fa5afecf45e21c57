import { setTimeout as wait } from 'node:timers/promises';
import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

const namespace = 'lab';
const labels = { app: 'lab' };
const pod = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
const deployment = {
  metadata: { name: 'web', labels },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: pod },
};

/** Kubernetes: config maps, deployments and what its clients do with all kinds of objects. */
export const kubernetes: Lab = {
  name: 'kubernetes',
  service: 'Kubernetes',
  sdk: '@kubernetes/client-node@2.0.1',
  document: {
    from: {
      path: 'k8s.io/kubernetes',
      version: 'v1.37.2',
      sums: [
        'h1:A2VDEiObzkYqFTKhSsn0ZEb0RlLEXpHWj93gi2HqEwE=',
        'h1:zAK7e3i5feyBL/bhucQnA5VRKuyrS8F+ijHJkZzQaWw=',
      ],
    },
    file: 'api/openapi-spec/swagger.json',
  },
  basePath: '',
  connect: `config.loadFromOptions({
  clusters: [{ name: 'twin', server: 'http://127.0.0.1:4010' }],
  users: [{ name: 'me', token: 'demo-enterprise' }],
  contexts: [{ name: 'twin', cluster: 'twin', user: 'me' }],
  currentContext: 'twin',
})`,
  reasons: {
    'create a namespace': 'Nothing says in which phase a namespace begins.',
    "a secret's stringData becomes data": 'The document says so in words alone.',
    'a service has a clusterIP and its port':
      'That the service gets an address is said in words alone.',
    'custom objects after a CustomResourceDefinition':
      'A definition adds paths to the API, and the twin serves those of its document.',
  },

  async run({ base, key, load, step }) {
    const k8s = await load('@kubernetes/client-node');
    const connect = (user: { token?: string }) => {
      const config = new k8s.KubeConfig();
      config.loadFromOptions({
        clusters: [{ name: 'twin', server: base, skipTLSVerify: true }],
        users: [{ name: 'me', ...user }],
        contexts: [{ name: 'twin', cluster: 'twin', user: 'me' }],
        currentContext: 'twin',
      });
      return config;
    };
    const config = connect({ token: key });
    const core = config.makeApiClient(k8s.CoreV1Api);
    const apps = config.makeApiClient(k8s.AppsV1Api);
    const batch = config.makeApiClient(k8s.BatchV1Api);
    const patchAs = (type: string) => k8s.setHeaderOptions('Content-Type', type);
    const merge = patchAs(k8s.PatchStrategy.MergePatch);
    const strategic = patchAs(k8s.PatchStrategy.StrategicMergePatch);
    const isStatus = (code: number, reason?: string) => (error: Loose) => {
      check(error instanceof k8s.ApiException, `class of the error: ${error}`);
      equal(error.code, code, 'code');
      const body = typeof error.body === 'string' ? JSON.parse(error.body) : error.body;
      equal(body.kind, 'Status', 'kind');
      if (reason) equal(body.reason, reason, 'reason');
      check(body.message, 'no message');
    };
    const createMap = (name: string, more: object = {}) =>
      core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, ...more } });
    const readMap = () => core.readNamespacedConfigMap({ namespace, name: 'cm' });
    const listMaps = async (query: object = {}) =>
      (await core.listNamespacedConfigMap({ namespace, ...query })).items.map(nameOf);
    const readWeb = () => apps.readNamespacedDeployment({ namespace, name: 'web' });
    let firstVersion = '1';

    await step('create a namespace', async () => {
      const body = { metadata: { name: namespace } };
      const { metadata, status } = await core.createNamespace({ body });
      equal(metadata.name, namespace, 'name');
      check(metadata.uid, 'no uid');
      check(metadata.creationTimestamp instanceof Date, 'no creationTimestamp');
      equal(status?.phase, 'Active', 'phase');
    });
    await step('read and list it', async () => {
      equal(nameOf(await core.readNamespace({ name: namespace })), namespace);
      check((await core.listNamespace()).items.map(nameOf).includes(namespace), 'not listed');
    });
    await step('create a config map', async () => {
      const body = { metadata: { name: 'cm', labels }, data: { a: '1' } };
      const made = await core.createNamespacedConfigMap({ namespace, body });
      equal([nameOf(made), made.metadata.namespace, made.data], ['cm', namespace, { a: '1' }]);
      check(made.metadata.resourceVersion, 'no resourceVersion');
      firstVersion = made.metadata.resourceVersion;
      equal([made.kind, made.apiVersion], ['ConfigMap', 'v1'], 'kind, apiVersion');
    });
    await step('read the config map', async () => {
      const { data, metadata } = await readMap();
      equal([data, metadata.labels], [{ a: '1' }, labels]);
    });
    await step('replace it, which gives a new resourceVersion', async () => {
      const body = await readMap();
      const before = body.metadata.resourceVersion;
      body.data = { a: '2' };
      const { data, metadata } = await core.replaceNamespacedConfigMap({
        namespace,
        name: 'cm',
        body,
      });
      equal(data, { a: '2' });
      check(metadata.resourceVersion !== before, 'resourceVersion is as before');
    });
    await step('replace it with an old resourceVersion: 409 Conflict', () => {
      const metadata = { name: 'cm', resourceVersion: firstVersion };
      const body = { metadata, data: { a: 'x' } };
      return refuses(
        () => core.replaceNamespacedConfigMap({ namespace, name: 'cm', body }),
        isStatus(409, 'Conflict'),
      );
    });
    await step('merge patch', async () => {
      const body = { data: { b: '3' } };
      const { data } = await core.patchNamespacedConfigMap({ namespace, name: 'cm', body }, merge);
      equal([data.b, typeof data.a], ['3', 'string']);
    });
    await step('JSON patch, the default of the client', async () => {
      const body = [{ op: 'replace', path: '/data/b', value: '4' }];
      const { data } = await core.patchNamespacedConfigMap({ namespace, name: 'cm', body });
      equal(data.b, '4');
    });
    await step('list by labelSelector', async () => {
      const body = { metadata: { name: 'other', labels: { app: 'other' } }, data: {} };
      await core.createNamespacedConfigMap({ namespace, body });
      equal(await listMaps({ labelSelector: 'app=lab' }), ['cm']);
      equal(await listMaps({ labelSelector: 'app=none' }), []);
    });
    await step('list by fieldSelector', async () => {
      equal(await listMaps({ fieldSelector: 'metadata.name=other' }), ['other']);
    });
    await step('list config maps of all namespaces', async () => {
      const { items } = await core.listConfigMapForAllNamespaces();
      const isIt = (one: Loose) => nameOf(one) === 'cm' && one.metadata.namespace === namespace;
      check(items.some(isIt), 'not listed');
    });
    await step('page with limit and continue', async () => {
      for (const n of [1, 2, 3]) await createMap(`page-${n}`);
      const names: string[] = [];
      let _continue: string | undefined;
      let pages = 0;
      do {
        const page = await core.listNamespacedConfigMap({ namespace, limit: 2, _continue });
        check(page.items.length <= 2, `a page of ${page.items.length}`);
        names.push(...page.items.map(nameOf));
        _continue = page.metadata._continue;
      } while (_continue && ++pages < 20);
      for (const name of ['cm', 'page-1', 'page-2', 'page-3'])
        check(names.includes(name), `${name} is not in ${names}`);
      check(pages > 0, 'one page');
    });
    await step('create and read a deployment', async () => {
      await apps.createNamespacedDeployment({ namespace, body: deployment });
      const { spec } = await readWeb();
      equal([spec.replicas, spec.template.spec.containers[0].image], [1, 'nginx']);
    });
    await step('strategic merge patch of a container by its name', async () => {
      const spec = { template: { spec: { containers: [{ name: 'c', image: 'nginx:2' }] } } };
      const patch = { namespace, name: 'web', body: { spec } };
      const changed = await apps.patchNamespacedDeployment(patch, strategic);
      const { containers } = changed.spec.template.spec;
      equal([containers[0].image, changed.spec.replicas], ['nginx:2', 1]);
    });
    await step('scale the deployment by its scale', async () => {
      const patch = { namespace, name: 'web', body: { spec: { replicas: 3 } } };
      await apps.patchNamespacedDeploymentScale(patch, merge);
      equal((await readWeb()).spec.replicas, 3, 'replicas of the deployment');
    });
    await step("the deployment's status is that deployment", async () => {
      const status = await apps.readNamespacedDeploymentStatus({ namespace, name: 'web' });
      equal(nameOf(status), 'web');
    });
    await step('replace its status', async () => {
      const body = await readWeb();
      body.status = { ...body.status, readyReplicas: 3 };
      await apps.replaceNamespacedDeploymentStatus({ namespace, name: 'web', body });
      equal((await readWeb()).status.readyReplicas, 3, 'readyReplicas');
    });
    await step('name a pod by generateName', async () => {
      const body = { ...pod, metadata: { generateName: 'lab-', labels } };
      const name = nameOf(await core.createNamespacedPod({ namespace, body }));
      check(name?.startsWith('lab-'), `name: ${name}`);
      equal(nameOf(await core.readNamespacedPod({ namespace, name })), name, 'read');
    });
    await step("a secret's stringData becomes data", async () => {
      const body = { metadata: { name: 's' }, stringData: { p: 'x' }, type: 'Opaque' };
      const { type } = await core.createNamespacedSecret({ namespace, body });
      equal(type, 'Opaque', 'type');
      const { data } = await core.readNamespacedSecret({ namespace, name: 's' });
      equal(data, { p: 'eA==' }, 'data');
    });
    await step('a service has a clusterIP and its port', async () => {
      const ports = [{ port: 80, targetPort: 8080 }];
      const body = { metadata: { name: 'svc' }, spec: { selector: labels, ports } };
      const { spec } = await core.createNamespacedService({ namespace, body });
      equal([spec.ports[0].port, spec.ports[0].targetPort], [80, 8080]);
      check(/^\d+(\.\d+){3}$/.test(spec.clusterIP ?? ''), `clusterIP: ${spec.clusterIP}`);
    });
    await step('create and list a job', async () => {
      const template = { spec: { ...pod.spec, restartPolicy: 'Never' } };
      const body = { metadata: { name: 'j' }, spec: { template } };
      await batch.createNamespacedJob({ namespace, body });
      equal((await batch.listNamespacedJob({ namespace })).items.map(nameOf), ['j']);
    });
    await step('the same name again: 409 AlreadyExists', () =>
      refuses(() => createMap('cm'), isStatus(409, 'AlreadyExists')),
    );
    await step('a deployment without a selector: 400 or 422 that names it', () => {
      const body = { metadata: { name: 'bad' }, spec: { template: pod } };
      return refuses(
        () => apps.createNamespacedDeployment({ namespace, body }),
        (error) => {
          check(error instanceof k8s.ApiException, `class of the error: ${error}`);
          check([400, 422].includes(error.code), `code: ${error.code}`);
          const text = JSON.stringify(error.body);
          check(text.includes('selector'), `does not name it: ${text}`);
        },
      );
    });
    await step('create in an unknown namespace: 404 NotFound', () => {
      const body = { metadata: { name: 'cm' } };
      return refuses(
        () => core.createNamespacedConfigMap({ namespace: 'nowhere', body }),
        isStatus(404, 'NotFound'),
      );
    });
    await step('read an unknown name: 404 NotFound', () =>
      refuses(
        () => core.readNamespacedConfigMap({ namespace, name: 'nope' }),
        isStatus(404, 'NotFound'),
      ),
    );
    await step('no token: 401 Unauthorized', () =>
      refuses(
        () => connect({}).makeApiClient(k8s.CoreV1Api).listNamespace(),
        // The client drops the body of a 401.
        ({ code, message }) => {
          equal(code, 401, 'code');
          check(message.includes('Unauthorized'), message);
        },
      ),
    );
    await step('watch shows what is added', async () => {
      const seen: string[] = [];
      let end = '';
      const watch = await new k8s.Watch(config).watch(
        `/api/v1/namespaces/${namespace}/configmaps`,
        {},
        (phase: string, object: Loose) => seen.push(`${phase} ${object.metadata?.name}`),
        (error: unknown) => (end = String(error ?? '')),
      );
      await wait(300);
      await createMap('watched');
      await wait(700);
      watch.abort();
      check(seen.includes('ADDED watched'), `seen: ${seen.slice(0, 9)} ${end}`);
    });
    await step('the log of a pod is a text', async () => {
      const { items } = await core.listNamespacedPod({ namespace, labelSelector: 'app=lab' });
      const name = need(items[0]?.metadata?.name, 'name a pod by generateName');
      equal(typeof (await core.readNamespacedPodLog({ namespace, name })), 'string', 'type');
    });
    await step('KubernetesObjectApi works on objects by kind, found by discovery', async () => {
      const api = k8s.KubernetesObjectApi.makeApiClient(config);
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'obj', namespace } };
      await api.create({ ...object, data: { k: 'v' } });
      equal((await api.read(object)).data, { k: 'v' }, 'created');
      const flags = [undefined, undefined, undefined, undefined];
      const change = { ...object, data: { k: 'w' } };
      await api.patch(change, ...flags, k8s.PatchStrategy.MergePatch);
      equal((await api.read(object)).data, { k: 'w' }, 'patched');
      await api.delete(object);
    });
    await step('custom objects after a CustomResourceDefinition', async () => {
      const schema = { openAPIV3Schema: { type: 'object' } };
      const spec = {
        group: 'lab.io',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      };
      const definitions = config.makeApiClient(k8s.ApiextensionsV1Api);
      const definition = { metadata: { name: 'widgets.lab.io' }, spec };
      await definitions.createCustomResourceDefinition({ body: definition });
      const api = config.makeApiClient(k8s.CustomObjectsApi);
      const at = { group: 'lab.io', version: 'v1', namespace, plural: 'widgets' };
      const widget = { apiVersion: 'lab.io/v1', kind: 'Widget', metadata: { name: 'w' }, size: 3 };
      await api.createNamespacedCustomObject({ ...at, body: widget });
      equal((await api.getNamespacedCustomObject({ ...at, name: 'w' })).size, 3, 'size');
      const { items } = await api.listNamespacedCustomObject(at);
      check(items.map(nameOf).includes('w'), 'not listed');
    });
    await step('delete the config map, which is 404 then', async () => {
      const { status } = await core.deleteNamespacedConfigMap({ namespace, name: 'cm' });
      equal(status, 'Success', 'status');
      await refuses(readMap, isStatus(404, 'NotFound'));
    });
    await step('delete a collection by labelSelector', async () => {
      const labelSelector = 'app=other';
      await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector });
      const names = await listMaps();
      check(!names.includes('other'), 'other is still listed');
      check(names.includes('page-1'), 'page-1 is gone');
    });
    await step('deleting the namespace deletes what is in it', async () => {
      await core.deleteNamespace({ name: namespace });
      await refuses(readWeb, (error) => equal(error.code, 404, 'code'));
    });
  },
};

const nameOf = ({ metadata }: Loose) => metadata.name;
