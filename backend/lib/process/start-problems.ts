import { FREE_SPACE_ADVICE } from '../files/disk-room.ts'

/** The data folder cannot be used; the message states why and what to do. */
export class DataFolderProblem extends Error {
  readonly heldByOther: boolean
  constructor(message: string, options: { heldByOther: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'DataFolderProblem'
    this.heldByOther = options.heldByOther
  }
}

/**
 * The disk of the data folder has no room to start; the message states how much is missing and
 * what to do.
 */
export class DiskFull extends Error {
  constructor(fullDisk: string, cause?: unknown) {
    super(`${fullDisk}. ${FREE_SPACE_ADVICE}, then start again.`, { cause })
    this.name = 'DiskFull'
  }
}

/** The address cannot be bound; `code` is Node's, such as EADDRINUSE. */
export class ListenFailed extends Error {
  readonly code: string
  constructor(host: string, port: number, code: string, cause: unknown) {
    const reason =
      code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be bound (${code})`
    super(`Port ${port} on ${host} ${reason}`, { cause })
    this.name = 'ListenFailed'
    this.code = code
  }
}
