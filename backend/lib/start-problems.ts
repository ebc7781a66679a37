/** The data folder cannot be used; the message says why and what to do. */
export class DataFolderProblem extends Error {
  readonly heldByOther: boolean
  constructor(message: string, options: { heldByOther: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'DataFolderProblem'
    this.heldByOther = options.heldByOther
  }
}

/** The address cannot be listened on; `code` is Node's, such as EADDRINUSE. */
export class ListenFailed extends Error {
  readonly code: string
  constructor(host: string, port: number, code: string, cause: unknown) {
    const reason =
      code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`
    super(`Port ${port} on ${host} ${reason}`, { cause })
    this.name = 'ListenFailed'
    this.code = code
  }
}
