const MAX_FILE_BYTES = 5_000_000

/** Downloads a text as a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Opens a file picker; returns the file, null when none was chosen. */
export function chosenFile(kinds: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = kinds
    input.addEventListener('cancel', () => resolve(null))
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null))
    input.click()
  })
}

/**
 * Opens a file picker; returns the file's text, null when none was chosen. @throws Error when too
 * large
 */
export async function chosenText(kinds: string): Promise<string | null> {
  const file = await chosenFile(kinds)
  if (file === null) return null
  if (file.size > MAX_FILE_BYTES) {
    throw new Error(`${file.name} is larger than 5 MB and was not read`)
  }
  return file.text()
}
