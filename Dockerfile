# Node 24.21.0; docs/server.md says how to take a newer one.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

ENV NODE_ENV=production
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
COPY tools/image/package.json ./tools/image/package.json
RUN npm ci --omit=dev && npm cache clean --force

COPY contracts ./contracts
COPY fixtures ./fixtures
COPY mock ./mock

USER node
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "--no-warnings", "-e", "const { TWIN_PORT, TWIN_TLS_CERT } = process.env; process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(`${TWIN_TLS_CERT ? 'https' : 'http'}://127.0.0.1:${TWIN_PORT || 4010}/__admin/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "mock/start.js", "--host", "0.0.0.0"]
