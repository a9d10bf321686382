-- Asks Doorward about a request: lets it pass with the identity headers, or answers it as Doorward says.
-- docs/how-to/forward-auth.md. Replace the secret.

local ADDRESS = "http://127.0.0.1:8080/.svc/authorize/haproxy"
local SECRET = "REPLACE_WITH_THE_SECRET"
-- In milliseconds. Doorward may ask a provider whether a login is still valid.
local TIMEOUT = 30000

-- Of the connection, or of the question: what a visitor sends under these names is not passed on.
local NOT_ASKED = {
    ["connection"] = true, ["content-length"] = true, ["expect"] = true, ["http2-settings"] = true,
    ["keep-alive"] = true, ["te"] = true, ["trailer"] = true, ["transfer-encoding"] = true, ["upgrade"] = true,
    ["host"] = true, ["svc-auth-secret"] = true, ["x-ssl-client-cert"] = true,
    ["x-forwarded-for"] = true, ["x-forwarded-proto"] = true, ["x-forwarded-host"] = true,
    ["x-forwarded-method"] = true, ["x-forwarded-uri"] = true,
}
local NOT_ANSWERED = {
    ["connection"] = true, ["content-length"] = true, ["keep-alive"] = true, ["transfer-encoding"] = true,
}
-- By these, some apps take a request for one of another path or method.
local OVERRIDES = {
    "x-ssl-client-cert", "x-original-url", "x-original-uri", "x-original-method", "x-rewrite-url",
    "x-override-url", "x-http-method", "x-http-method-override", "x-method-override",
}

-- Lists from HAProxy begin at 0, and have no length.
local function values(list)
    local found, index = {}, 0
    while list[index] ~= nil do
        found[#found + 1] = list[index]
        index = index + 1
    end
    return found
end

local function question(txn, headers)
    local asked = {}
    for name, list in pairs(headers) do
        if not NOT_ASKED[name] then asked[name] = values(list) end
    end
    asked["svc-auth-secret"] = { SECRET }
    asked["x-forwarded-method"] = { txn.f:method() }
    asked["x-forwarded-host"] = { txn.f:req_fhdr("host") }
    asked["x-forwarded-uri"] = { txn.f:pathq() }
    asked["x-forwarded-proto"] = { "https" }
    asked["x-forwarded-for"] = { txn.f:src() }
    -- For client certificates, with "verify optional ca-ignore-err all crt-ignore-err all ca-file …" at bind:
    -- asked["x-ssl-client-cert"] = { txn.c:base64(txn.f:ssl_c_der() or "") }
    return asked
end

local function let_in(txn, headers, answer)
    for name in pairs(headers) do
        if name:match("^svc") then txn.http:req_del_header(name) end
    end
    for _, name in ipairs(OVERRIDES) do txn.http:req_del_header(name) end
    for name, list in pairs(answer) do
        if name:match("^svc%-auth%-") then txn.http:req_set_header(name, list[0] or "") end
    end
    -- Without Doorward's own cookies and service tokens.
    for _, name in ipairs({ "cookie", "authorization" }) do
        txn.http:req_del_header(name)
        local value = answer[name] and answer[name][0] or ""
        if value ~= "" then txn.http:req_set_header(name, value) end
    end
end

core.register_action("doorward", { "http-req" }, function(txn)
    local headers = txn.http:req_get_headers()
    local answer = core.httpclient():get({ url = ADDRESS, headers = question(txn, headers), timeout = TIMEOUT })
    if answer ~= nil and answer.status == 200 then
        let_in(txn, headers, answer.headers)
        return
    end
    local reply = txn:reply({ status = 503, reason = "Service Unavailable" })
    if answer ~= nil and answer.status ~= nil and answer.status >= 300 then
        reply:set_status(answer.status, answer.reason)
        for name, list in pairs(answer.headers) do
            if not NOT_ANSWERED[name] then
                for _, value in ipairs(values(list)) do reply:add_header(name, value) end
            end
        end
        reply:set_body(answer.body or "")
    end
    txn:done(reply)
end)
