/**
 * The configuration of an instance of workerd that shares its objects with others. Its format is experimental and may
 * change with each version of workerd, so no other file depends on it.
 */

/** The configuration of the cluster, in addition to that of an instance. */
export interface Membership {
  /** The path of the configuration of an instance (`deploy/cluster/instance.capnp`), relative to this file. */
  readonly instance: string;
  /** `s3://bucket/prefix`, or `gs://`. */
  readonly bucket: string;
  /** A secret that only the instances have, of at least 32 characters. */
  readonly key: string;
}

/**
 * The limit for a stop, which passes the objects to other instances and then waits for connections. Containers are
 * killed after ten seconds.
 */
const STOP_TIMEOUT_MS = 8_000;

/** The limit after which an instance is killed. */
export const STOP_DEADLINE_MS = STOP_TIMEOUT_MS + 4_000;

const text = (value: string): string => JSON.stringify(value);

/** The configuration as text. The address and the credentials of the bucket are variables of the process. */
export const memberConfig = ({ instance, bucket, key }: Membership): string => `# One of several instances.
using Workerd = import "/workerd/workerd.capnp";
using Instance = import ${text(instance)};

const config :Workerd.Config = (
  services = Instance.services,
  sockets = Instance.sockets,
  cluster = (
    bucket = ${text(bucket)},
    address = "127.0.0.1:0",
    key = ${text(key)},
    stopTimeoutMs = ${STOP_TIMEOUT_MS},
  ),
);
`;

/** The address of this instance for the others. */
export interface PeerAddress {
  /** `host:port`; port 0 for a free one. */
  readonly listen: string;
  /** The address that the others use, if it differs. */
  readonly advertise?: string | undefined;
}

/** The arguments of workerd for an instance of a cluster. */
export const memberWords = ({ listen, advertise }: PeerAddress): string[] => [
  '--experimental',
  `--cluster-addr=${listen}`,
  ...(advertise === undefined ? [] : [`--cluster-advertise=${advertise}`]),
];

/** The event by which workerd reports the port for other instances. */
export const PEER_EVENT = 'listen-cluster';

/** Responds with 200 while the instance serves and holds its lease. */
export const readyUrl = (peer: string): string => `http://${peer}/ready`;
