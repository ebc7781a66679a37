/** Fills the buffers of a record with zeros. */
export function eraseSecrets(record: object): void {
  for (const value of Object.values(record) as unknown[]) {
    if (Buffer.isBuffer(value)) value.fill(0)
  }
}

/** A record with copies of its buffers, which are erased separately. */
export function copySecrets<T extends object>(record: T): T {
  const copies = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    Buffer.isBuffer(value) ? Buffer.from(value) : value,
  ])
  return Object.fromEntries(copies) as T
}
