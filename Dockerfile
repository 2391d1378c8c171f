# The image of a bank: the compiled program, its one dependency and Node, run as the user `node`. It is configured by
# environment variables or by the options of `sandbank start`, and writes only to /data and /tmp, so its root file system
# can be read-only. SANDBANK_DATA is set here, so a profile cannot change it: `-e SANDBANK_DATA=` (empty) keeps the bank
# in memory.

# The base of every stage. Renovate adds the digest (`pinDigests` in .github/renovate.json) and keeps it up to date.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts: nothing is compiled here, and no other Node is needed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The published package, without what only programs that import it need.
RUN npm run package && rm -r out/package/dist/types out/package/dist/*.cjs

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts: npm would compile better-sqlite3, but its package contains binaries, and this image has no compiler.
# Only the binary for this platform is kept. The last line fails the build if it is the wrong one.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src node_modules/node-addon-api \
  && node -e "new (require('better-sqlite3'))(':memory:').close()"

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Sandbank" \
  org.opencontainers.image.description="A local imitation of Solid's banking API (v2 and v1), for development and tests. Independent and not affiliated." \
  org.opencontainers.image.licenses="MIT"
# Commands inside the container (`docker exec bank sandbank env`) find the bank and its control token in the ready file,
# which only its user may read.
ENV NODE_ENV=production SANDBANK_HOST=0.0.0.0 SANDBANK_PORT=4800 SANDBANK_DATA=/data SANDBANK_READY_FILE=/tmp/sandbank.json SANDBANK_SEED_FILE=/seed
WORKDIR /app
RUN mkdir -p /data /seed node_modules/.cache/sandbank \
  && chown node:node /data node_modules/.cache/sandbank \
  && ln -s /app/bin/sandbank.mjs /usr/local/bin/sandbank
# An update of the bank changes only the layers after this one.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/out/package ./
USER node
# Fills the compile cache that bin/sandbank.mjs uses, because a read-only root cannot be written later: with the entries, and
# with the modules that they import on demand. This also shows that the program loads.
RUN NODE_COMPILE_CACHE=/app/node_modules/.cache/sandbank \
  node -e "Promise.all(require('fs').readdirSync('dist').filter((name) => /^(main|healthcheck|cli|[a-z0-9]+-[A-Z0-9]{8})\.js$/.test(name)).map((name) => import('/app/dist/' + name)))"
VOLUME /data
EXPOSE 4800
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["sandbank", "healthcheck"]
ENTRYPOINT ["sandbank"]
CMD ["start"]
