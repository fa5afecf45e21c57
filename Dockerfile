# Node 24.21.0; docs/server.md says how to take a newer one.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

ENV NODE_ENV=production
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
COPY tools/image/package.json ./tools/image/package.json
RUN npm ci --omit=dev && npm cache clean --force

COPY common ./common
COPY contracts ./contracts
COPY fixtures ./fixtures
COPY mock ./mock
COPY openapi ./openapi
COPY reference ./reference

# Where a named volume for the authority of --tls takes its owner from.
RUN mkdir -p /home/node/.local/share/petstore-twin && chown -R node:node /home/node/.local

USER node
EXPOSE 4010
ENV TWIN_HOST=0.0.0.0
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "--no-warnings", "/app/mock/process/check-health.ts"]

ENTRYPOINT ["node", "/app/mock/start.js"]
