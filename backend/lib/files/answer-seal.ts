import { openSealed, sealText } from '../sealed-text.ts'

const PURPOSE = 'augury repeated answer'

/**
 * Encrypts stored answers with the key of the installation. Answers that earlier versions stored
 * as JSON are read as they are.
 */
export const responseCipher = (installationKey: () => string) => ({
  seal: (answer: string): string => sealText(answer, installationKey(), PURPOSE),
  open: (sealedText: string): string =>
    sealedText.startsWith('{') ? sealedText : openSealed(sealedText, installationKey(), PURPOSE),
})
