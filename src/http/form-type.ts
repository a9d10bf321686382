// The media type in which programs and pages send fields (WHATWG URL, `application/x-www-form-urlencoded`).

/** `contentType`: the header, undefined for none. Parameters behind it say nothing here. */
export function isFormType(contentType: string | undefined): boolean {
  return FORM.test(contentType ?? '');
}

const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i;
