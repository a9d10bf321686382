"""A gRPC server and a client by grpcio, in messages of plain bytes: `server` prints its port and serves until it is
ended; `client ADDRESS AUTHORITY CA` makes every kind of call, and prints what came of each as JSON."""

import json
import sys
import time
from concurrent import futures

import grpc

COUNT = 1000
PATH = "/demo.Echo/"


def unary(request, context):
    said = dict(context.invocation_metadata())
    context.send_initial_metadata((("x-initial", "first"),))
    context.set_trailing_metadata((("x-trailing", said.get("x-sent", "")), ("x-bytes-bin", b"\x00\xff")))
    return request[::-1]


def collect(requests, context):
    return str(sum(len(each) for each in requests)).encode()


def count(request, context):
    for index in range(int(request)):
        yield str(index).encode()


def converse(requests, context):
    for each in requests:
        yield each.upper()


def fail(request, context):
    context.set_trailing_metadata((("x-reason", "testing"),))
    context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not now: é")


def sleep(request, context):
    while context.is_active():
        time.sleep(0.01)
    return b""


def serve():
    methods = {
        "Unary": grpc.unary_unary_rpc_method_handler(unary),
        "Collect": grpc.stream_unary_rpc_method_handler(collect),
        "Count": grpc.unary_stream_rpc_method_handler(count),
        "Converse": grpc.stream_stream_rpc_method_handler(converse),
        "Fail": grpc.unary_unary_rpc_method_handler(fail),
        "Sleep": grpc.unary_unary_rpc_method_handler(sleep),
    }
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("demo.Echo", methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    server.wait_for_termination()


def status_of(call, **options):
    try:
        call(b"x", **options)
        return "OK", "", {}
    except grpc.RpcError as error:
        return error.code().name, error.details(), dict(error.trailing_metadata() or ())


def call_all(address, authority, ca):
    with open(ca, "rb") as file:
        credentials = grpc.ssl_channel_credentials(file.read())
    options = (("grpc.ssl_target_name_override", authority), ("grpc.default_authority", authority))
    found = {}
    with grpc.secure_channel(address, credentials, options) as channel:
        reply, call = channel.unary_unary(PATH + "Unary").with_call(b"hello", metadata=(("x-sent", "told"),))
        trailing = dict(call.trailing_metadata())
        found["unary"] = [reply.decode(), dict(call.initial_metadata())["x-initial"], trailing["x-trailing"]]
        found["binary"] = trailing["x-bytes-bin"].hex()
        found["collect"] = int(channel.stream_unary(PATH + "Collect")(b"x" * 1000 for _ in range(COUNT)))
        counted = [int(each) for each in channel.unary_stream(PATH + "Count")(str(COUNT).encode())]
        found["count"] = counted == list(range(COUNT))
        said = channel.stream_stream(PATH + "Converse")(iter([b"a", b"b", b"c"]))
        found["converse"] = b"".join(said).decode()
        code, details, more = status_of(channel.unary_unary(PATH + "Fail"))
        found["fail"] = [code, details, more.get("x-reason")]
        found["deadline"] = status_of(channel.unary_unary(PATH + "Sleep"), timeout=0.5)[0]
        found["unknown"] = status_of(channel.unary_unary(PATH + "Nothing"))[0]
    print(json.dumps(found))


def call_one(address, authority, ca):
    with open(ca, "rb") as file:
        credentials = grpc.ssl_channel_credentials(file.read())
    options = (("grpc.ssl_target_name_override", authority), ("grpc.default_authority", authority))
    with grpc.secure_channel(address, credentials, options) as channel:
        print(json.dumps(status_of(channel.unary_unary(PATH + "Unary"))[:2]))


{"server": serve, "client": call_all, "refused": call_one}[sys.argv[1]](*sys.argv[2:])
