# One instance, whose sandboxes are Durable Objects on this machine's disk. "sandbank cluster dev" and "sandbank cluster instance"
# start it. By hand, in this folder, after "mkdir objects":
#
#   workerd serve instance.capnp
#
# Its settings are the variables of "sandbank start". It refuses those that have no effect here.
using Workerd = import "/workerd/workerd.capnp";

const services :List(Workerd.Service) = [
  (name = "main", worker = .bank),
  # Webhooks may go to the machines of your network.
  (name = "internet", network = (
    allow = ["private", "public", "local"],
    # No link-local address, where a cloud serves the credentials of the machine.
    deny = ["169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128"]
  )),
  (name = "objects", disk = (path = "objects", writable = true)),
  (name = "assets", disk = (path = "assets")),
];

const sockets :List(Workerd.Socket) = [
  (name = "http", address = "127.0.0.1:4800", http = (), service = "main"),
];

const config :Workerd.Config = (services = .services, sockets = .sockets);

const bank :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-06-01",
  compatibilityFlags = ["nodejs_compat"],
  durableObjectNamespaces = [
    (className = "Bank", uniqueKey = "sandbank-bank", enableSql = true),
    (className = "Directory", uniqueKey = "sandbank-directory", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [
    (name = "BANK", durableObjectNamespace = "Bank"),
    (name = "DIRECTORY", durableObjectNamespace = "Directory"),
    (name = "ASSETS", service = "assets"),
    (name = "SANDBANK_PROFILE", fromEnvironment = "SANDBANK_PROFILE"),
    (name = "SANDBANK_HOST", fromEnvironment = "SANDBANK_HOST"),
    (name = "SANDBANK_RAILS", fromEnvironment = "SANDBANK_RAILS"),
    (name = "SANDBANK_RANDOM_SEED", fromEnvironment = "SANDBANK_RANDOM_SEED"),
    (name = "SANDBANK_SEED_HISTORY", fromEnvironment = "SANDBANK_SEED_HISTORY"),
    (name = "SANDBANK_SECRETS", fromEnvironment = "SANDBANK_SECRETS"),
    (name = "SANDBANK_WEBHOOK_URL", fromEnvironment = "SANDBANK_WEBHOOK_URL"),
    (name = "SANDBANK_WEBHOOK_CONCURRENCY", fromEnvironment = "SANDBANK_WEBHOOK_CONCURRENCY"),
    (name = "SANDBANK_SANDBOXES", fromEnvironment = "SANDBANK_SANDBOXES"),
    (name = "SANDBANK_MAX_SANDBOXES", fromEnvironment = "SANDBANK_MAX_SANDBOXES"),
    (name = "SANDBANK_MAX_OBSERVERS", fromEnvironment = "SANDBANK_MAX_OBSERVERS"),
    (name = "SANDBANK_SECRET_ROOT", fromEnvironment = "SANDBANK_SECRET_ROOT"),
    (name = "SANDBANK_CONTROL", fromEnvironment = "SANDBANK_CONTROL"),
    (name = "SANDBANK_CONTROL_TOKEN", fromEnvironment = "SANDBANK_CONTROL_TOKEN"),
    (name = "SANDBANK_ALLOWED_HOSTS", fromEnvironment = "SANDBANK_ALLOWED_HOSTS"),
    (name = "SANDBANK_BODY_LIMIT", fromEnvironment = "SANDBANK_BODY_LIMIT"),
    (name = "SANDBANK_STRICT_FIELDS", fromEnvironment = "SANDBANK_STRICT_FIELDS"),
    (name = "SANDBANK_STRICT_PERSON_HEADER", fromEnvironment = "SANDBANK_STRICT_PERSON_HEADER"),
    (name = "SANDBANK_SHORTFALL", fromEnvironment = "SANDBANK_SHORTFALL"),
    (name = "SANDBANK_LOG_LEVEL", fromEnvironment = "SANDBANK_LOG_LEVEL"),
    # Without effect here, so the worker refuses to start with them.
    (name = "SANDBANK_TLS_CERT", fromEnvironment = "SANDBANK_TLS_CERT"),
    (name = "SANDBANK_TLS_KEY", fromEnvironment = "SANDBANK_TLS_KEY"),
    (name = "SANDBANK_SYNCHRONOUS", fromEnvironment = "SANDBANK_SYNCHRONOUS"),
    (name = "SANDBANK_SEED_FILE", fromEnvironment = "SANDBANK_SEED_FILE"),
    (name = "SANDBANK_WEBHOOK_HOSTS", fromEnvironment = "SANDBANK_WEBHOOK_HOSTS"),
    (name = "SANDBANK_REST_AFTER", fromEnvironment = "SANDBANK_REST_AFTER"),
    (name = "SANDBANK_RATE_LIMITS", fromEnvironment = "SANDBANK_RATE_LIMITS"),
  ],
);
